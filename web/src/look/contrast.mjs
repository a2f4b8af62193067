// Reads tokens.css, computes every pair that is meant to be used, prints it, exits 1 when one fails.
// Usage: node contrast.mjs [--failures]
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const css = readFileSync(fileURLToPath(new URL("./tokens.css", import.meta.url)), "utf8");
const block = (pattern) => {
  const found = css.match(pattern);
  if (!found) throw new Error(`no block for ${pattern}`);
  return Object.fromEntries(
    [...found[1].matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value.trim()]),
  );
};
const themes = {
  light: block(/:root,\s*\[data-theme="light"\]\s*\{([^}]*)\}/),
  dark: block(/\n\[data-theme="dark"\]\s*\{([^}]*)\}/),
};
const copy = block(/prefers-color-scheme: dark\)\s*\{\s*:root:not\(\[data-theme\]\)\s*\{([^}]*)\}/);

const rgb = (value) => {
  if (value.startsWith("#")) return [1, 3, 5].map((at) => parseInt(value.slice(at, at + 2), 16)).concat(1);
  const [r, g, b, , a] = value.match(/rgb\((\d+) (\d+) (\d+)( \/ ([\d.]+))?\)/).slice(1);
  return [+r, +g, +b, a === undefined ? 1 : +a];
};
const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
const luminance = (colour) => {
  const [r, g, b] = colour.slice(0, 3).map((part) => {
    const v = part / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ratio = (a, b) => {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

const surfaces = ["surface-page", "surface-panel", "surface-sunken", "surface-overlay"];
const cross = (fronts, backs, need, use) =>
  fronts.flatMap((front) => backs.map((back) => ({ front, back, need, use })));
const pairs = [
  ...cross(["ink-1", "ink-2", "ink-3"], surfaces, 4.5, "text"),
  ...cross(["ink-1", "ink-2"], ["surface-pressed"], 4.5, "text on pressed or selected rows"),
  ...cross(
    ["river", "river-strong", "cent", "positive", "negative", "warning", "info"],
    surfaces,
    4.5,
    "coloured text, links",
  ),
  ...cross(["ink-inverse", "ink-inverse-2"], ["surface-inverse"], 4.5, "toast, tooltip"),
  ...["river", "cent", "positive", "negative", "warning", "info"].flatMap((tone) => [
    { front: `${tone}-ink`, back: `${tone}-subtle`, need: 4.5, use: "badge, banner" },
    { front: tone, back: `${tone}-subtle`, need: 4.5, use: "icon and text on its own tint" },
    { front: "ink-1", back: `${tone}-subtle`, need: 4.5, use: "banner body" },
    { front: "ink-2", back: `${tone}-subtle`, need: 4.5, use: "banner body" },
  ]),
  { front: "on-river", back: "river", need: 4.5, use: "primary button" },
  { front: "on-river", back: "river-strong", need: 4.5, use: "primary button, hover" },
  { front: "on-cent", back: "cent", need: 4.5, use: "counter" },
  ...["positive", "negative", "warning", "info"].map((tone) => ({
    front: `on-${tone}`,
    back: `${tone}-strong`,
    need: 4.5,
    use: "solid tone",
  })),
  { front: "ink-disabled", back: "surface-panel", need: 0, use: "disabled text (exempt)" },

  ...cross(["line-control"], surfaces, 3, "border of inputs, checkboxes, switches"),
  ...cross(["focus"], [...surfaces, "surface-pressed", "river-subtle"], 3, "focus ring"),
  { front: "focus-gap", back: "river", need: 3, use: "gap between button and ring" },
  ...cross(
    ["river", "cent-mark"],
    [...surfaces, "surface-pressed"],
    3,
    "selection, nodes, explain underline",
  ),
  { front: "cent-mark", back: "river-subtle", need: 3, use: "node on a selected row" },
  { front: "river", back: "river-subtle", need: 3, use: "selected control" },
  ...cross(
    ["positive-strong", "negative-strong", "warning-mark", "info-strong"],
    ["surface-page", "surface-panel", "surface-overlay"],
    3,
    "dots, bars, switch",
  ),

  ...cross(
    [1, 2, 3, 4, 5, 6].map((n) => `chart-${n}`),
    ["surface-page", "surface-panel", "surface-overlay"],
    3,
    "series",
  ),
  ...cross(
    ["chart-compare", "chart-cursor"],
    ["surface-page", "surface-panel"],
    3,
    "comparison line, cursor",
  ),
  ...cross(["chart-hatch"], ["surface-page", "surface-panel", "surface-overlay"], 3, "provisional hatch"),
  ...cross(["chart-axis"], ["surface-page", "surface-panel"], 4.5, "axis text"),
  {
    front: "chart-axis",
    back: "surface-panel",
    tint: "chart-band",
    need: 4.5,
    use: "text over the restatable band",
  },
  { front: "chart-1", back: "surface-panel", tint: "chart-area", need: 3, use: "line over its own area" },
  {
    front: "chart-hatch",
    back: "surface-panel",
    tint: "chart-area",
    need: 0,
    use: "hatch over the area (labelled in words)",
  },
];

const only = process.argv.includes("--failures");
let failures = 0;
let count = 0;
for (const [name, token] of Object.entries(themes)) {
  console.log(`\n${name}`);
  for (const { front, back, tint, need, use } of pairs) {
    let ground = rgb(token[back]);
    if (tint) ground = over(rgb(token[tint]), ground);
    const value = ratio(over(rgb(token[front]), ground), ground);
    const ok = value >= need;
    count += 1;
    if (!ok) failures += 1;
    if (!ok || !only) {
      const against = tint ? `${back} + ${tint}` : back;
      console.log(
        `${ok ? "ok  " : "FAIL"} ${value.toFixed(2).padStart(5)} >= ${String(need).padEnd(3)}  ${front.padEnd(16)} on ${against.padEnd(28)} ${use}`,
      );
    }
  }
}

const drift = [...new Set([...Object.keys(copy), ...Object.keys(themes.dark)])].filter(
  (key) => copy[key] !== themes.dark[key],
);
if (drift.length > 0) console.log(`FAIL the two dark blocks differ: ${drift.join(", ")}`);
const missing = Object.keys(themes.light).filter((key) => !(key in themes.dark));
if (missing.length > 0) console.log(`FAIL dark lacks: ${missing.join(", ")}`);

// Charts: distance between any two categories (OKLab x 100), also as three colour-vision deficiencies see them.
const linear = (hex) =>
  rgb(hex)
    .slice(0, 3)
    .map((part) => {
      const v = part / 255;
      return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    });
const oklab = ([r, g, b]) => {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
};
const sight = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protan: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deutan: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritan: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};
const seen = (m, c) =>
  [0, 3, 6].map((row) => Math.min(1, Math.max(0, m[row] * c[0] + m[row + 1] * c[1] + m[row + 2] * c[2])));
console.log("\nchart categories, smallest distance (8 or more)");
let tooClose = 0;
for (const [name, token] of Object.entries(themes)) {
  for (const [eye, matrix] of Object.entries(sight)) {
    const points = [1, 2, 3, 4, 5, 6].map((n) => oklab(seen(matrix, linear(token[`chart-${n}`]))));
    let least = { d: Infinity };
    for (const [i, a] of points.entries()) {
      for (const [j, b] of points.slice(i + 1).entries()) {
        const d = 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        if (d < least.d) least = { d, pair: `${i + 1}-${i + j + 2}` };
      }
    }
    if (least.d < 8) tooClose += 1;
    console.log(
      `${least.d < 8 ? "FAIL" : "ok  "} ${least.d.toFixed(1).padStart(5)}  ${name} ${eye} (${least.pair})`,
    );
  }
}

const bad = failures + drift.length + missing.length + tooClose;
console.log(`\n${count} pairs, ${failures} below their bound; ${bad === 0 ? "all pass" : "NOT PASSING"}`);
process.exit(bad === 0 ? 0 : 1);
