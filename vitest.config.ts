import { defineConfig } from "vitest/config";

const ours = "{contracts,services/*,gateway,deploy,deploy/sandbox}";

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    allowOnly: false,
    reporters: ["default", "./deploy/test/closing-lines.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "system",
          include: [`${ours}/test/**/*.test.ts`],
          globalSetup: ["./deploy/test/one-postgres.ts"],
        },
      },
      {
        extends: true,
        test: { name: "web", include: ["web/**/*.test.{ts,tsx}"], environment: "jsdom" },
      },
    ],
  },
});
