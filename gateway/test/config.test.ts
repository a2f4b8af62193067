import { expect, test } from "vitest";
import { configFrom } from "../src/config.ts";
import { SERVICES } from "../src/upstream.ts";

const complete: Record<string, string> = {
  PUBLIC_URL: "https://tributary.example",
  WEB_ROOT: "/srv/web",
  VERSION: "1.2.3",
  FIREBASE_PROJECT_ID: "tributary",
  DATABASE_URL: "postgres://gateway:secret@db/tributary_gateway",
  LOG_URL_IDENTITY: "postgres://reader:secret@db/tributary_identity",
  ...Object.fromEntries(
    SERVICES.flatMap((name) => [
      [`UPSTREAM_${name.toUpperCase()}`, `http://${name}:8080`],
      [`INTERNAL_KEY_${name.toUpperCase()}`, `${name}-`.repeat(10)],
    ]),
  ),
};

test("a complete environment names every service's address and key", () => {
  const config = configFrom(complete);
  expect(config.upstreams.billing).toBe("http://billing:8080");
  expect(config.keys.billing).toBe("billing-".repeat(10));
  expect(config.PORT).toBe(8080);
});

test("all that is missing or wrong is named in one error", () => {
  const { UPSTREAM_CATALOG: _, INTERNAL_KEY_LANDING: __, ...rest } = complete;
  let said = "";
  try {
    configFrom({ ...rest, PUBLIC_URL: "ftp://x", INTERNAL_KEY_BILLING: "short" });
  } catch (error) {
    said = (error as Error).message;
  }
  expect(said).toContain("UPSTREAM_CATALOG: is missing");
  expect(said).toContain("INTERNAL_KEY_LANDING: is missing");
  expect(said).toContain("INTERNAL_KEY_BILLING: must be at least 32 characters");
  expect(said).toContain("PUBLIC_URL: ");
});

test("played partners and an emulator that believes every token have no place in production", () => {
  expect(() =>
    configFrom({ ...complete, NODE_ENV: "production", SANDBOX_URL: "http://sandbox:4000" }),
  ).toThrow("not played in production");
  expect(() => configFrom({ ...complete, FIREBASE_AUTH_EMULATOR_HOST: "localhost:9099" })).toThrow(
    "FIREBASE_AUTH_EMULATOR_HOST",
  );
});
