// Every rule is a sentence. Rules go by the shape of a path, never by the name of a member, so that a new service is
// guarded on its first day.
const SERVICE = "^services/([^/_][^/]*)/";
const OURS = "^(contracts|services|gateway|web|deploy)/";
const SANDBOX = "^deploy/sandbox/";
const PARTNER_CLIENT = "^services/[^/_][^/]*/src/(?!commands/|read-models/|reactions/)[^/]+/";

const ENGINES =
  "pg|pg-[^/]+|kafkajs|mongodb|fastify|@fastify/[^/]+|stripe|firebase-admin|nodemailer|undici|axios";
const DOORS = "fs|fs/promises|net|tls|dgram|dns|http|https|http2|child_process|worker_threads|cluster";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "services never import each other",
      comment:
        "A service listens earlier and keeps what it needs; what both must agree on stands in contracts.",
      severity: "error",
      from: { path: SERVICE },
      to: { path: SERVICE, pathNot: "^services/$1/" },
    },
    {
      name: "contracts import nobody of ours",
      comment: "Contracts are what the parts agree on: they can depend on none of them.",
      severity: "error",
      from: { path: "^contracts/" },
      to: { path: OURS, pathNot: "^contracts/" },
    },
    {
      name: "contracts are browser-safe",
      comment: "The browser parses answers by the very same schemas.",
      severity: "error",
      from: { path: "^contracts/src/" },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "the runtime knows no service",
      comment: "The frame is the same for every service, so it can know of contracts only.",
      severity: "error",
      from: { path: "^services/_runtime/" },
      to: { path: OURS, pathNot: "^(services/_runtime|contracts)/|^deploy/scripts/bundle[.]mjs$" },
    },
    {
      name: "services stand on contracts and the runtime only",
      comment: "Only the gateway asks services, and only deploy puts the parts together.",
      severity: "error",
      from: { path: `${SERVICE}src/` },
      to: { path: OURS, pathNot: "^(services|contracts)/" },
    },
    {
      name: "the gateway asks services and imports none",
      comment: "It speaks HTTP to them, in one process as on a cluster; only deploy puts the parts together.",
      severity: "error",
      from: { path: "^gateway/src/" },
      to: { path: OURS, pathNot: "^(gateway|services/_runtime|contracts)/" },
    },
    {
      name: "the browser knows only contracts",
      comment: "The web speaks HTTP; what it may know of the parts behind stands in contracts.",
      severity: "error",
      from: { path: "^web/" },
      to: { path: OURS, pathNot: "^(web|contracts)/" },
    },
    {
      name: "the sandbox imports nothing of ours",
      comment: "It plays the partners: what it shared with us it could not contradict.",
      severity: "error",
      from: { path: SANDBOX },
      to: { path: OURS, pathNot: SANDBOX },
    },
    {
      name: "we never import the sandbox",
      comment: "Partners are reached over the network; a test may start the sandbox as a process.",
      severity: "error",
      from: { path: OURS, pathNot: SANDBOX },
      to: { path: SANDBOX },
    },
    {
      name: "decisions touch no engine",
      comment:
        "Streams, commands, read models and reactions are pure; engines stand behind the runtime's ports.",
      severity: "error",
      from: { path: `${SERVICE}src/`, pathNot: PARTNER_CLIENT },
      to: { path: `(^|node_modules/)(${ENGINES})(/|$)`, dependencyTypesNot: ["core", "local"] },
    },
    {
      name: "decisions open no door",
      comment: "Files, sockets and processes are no business of a decision.",
      severity: "error",
      from: { path: `${SERVICE}src/`, pathNot: PARTNER_CLIENT },
      to: { path: `^(node:)?(${DOORS})$`, dependencyTypes: ["core"] },
    },
    {
      name: "every import resolves",
      comment: "What can't be resolved is not judged by the other rules: it would pass them all.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "no circles",
      comment: "Two files that need each other are one file, or lack a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no development package in what runs",
      comment: "It would be missing where only what runs is installed.",
      severity: "error",
      from: { path: "^(contracts|services/[^/]+|gateway|deploy)/src/" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "every package is declared where it is used",
      comment: "An image of one service installs what that service declares.",
      severity: "error",
      from: {
        path: "^(contracts|services/[^/]+|gateway|web|deploy|deploy/sandbox)/src/",
        pathNot: "[.]test[.]tsx?$",
      },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(node_modules/[.]|dist/|[.]tributary/)" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mts", ".mjs", ".js", ".cjs", ".json", ".css"],
    },
  },
};
