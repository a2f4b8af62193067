// @vitest-environment jsdom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { chooseTheme, followTheme } from "./theme.ts";

const beforePaint = readFileSync(join(import.meta.dirname, "theme-before-paint.js"), "utf8");
const shown = () => document.documentElement.dataset.theme;
const system = Object.assign(new EventTarget(), { matches: false });

function systemTurns(theme: "light" | "dark") {
  system.matches = theme === "dark";
  system.dispatchEvent(new Event("change"));
}

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => system);
  systemTurns("light");
  localStorage.clear();
  delete document.documentElement.dataset.theme;
});

afterEach(() => vi.unstubAllGlobals());

const starts = {
  "the script before the first paint": () => new Function(beforePaint)(),
  "the running page": followTheme,
};

describe.each(Object.entries(starts))("%s", (_, start) => {
  test.each([
    { chosen: null, systemIs: "light", shows: "light" },
    { chosen: null, systemIs: "dark", shows: "dark" },
    { chosen: "dark", systemIs: "light", shows: "dark" },
    { chosen: "light", systemIs: "dark", shows: "light" },
    { chosen: "purple", systemIs: "dark", shows: "dark" },
  ] as const)(
    "shows $shows when $chosen was chosen and the system is $systemIs",
    ({ chosen, systemIs, shows }) => {
      if (chosen !== null) localStorage.setItem("tributary.theme", chosen);
      systemTurns(systemIs);

      start();

      expect(shown()).toBe(shows);
    },
  );

  test("follows the system when the browser forbids storage", () => {
    vi.stubGlobal("localStorage", undefined);
    Object.defineProperty(globalThis, "localStorage", {
      configurable: true,
      get: () => {
        throw new DOMException("forbidden", "SecurityError");
      },
    });
    systemTurns("dark");

    start();

    expect(shown()).toBe("dark");
  });
});

test("a chosen theme stays when the system changes its own", () => {
  followTheme();
  chooseTheme("dark");

  systemTurns("dark");
  systemTurns("light");

  expect(shown()).toBe("dark");
});

test("choosing what the system shows gives the choice back to the system", () => {
  followTheme();
  chooseTheme("dark");
  chooseTheme("light");

  systemTurns("dark");

  expect(shown()).toBe("dark");
  expect(localStorage.length).toBe(0);
});

test("a choice made in another tab arrives in this one", () => {
  followTheme();

  localStorage.setItem("tributary.theme", "dark");
  dispatchEvent(new StorageEvent("storage", { key: "tributary.theme", newValue: "dark" }));

  expect(shown()).toBe("dark");
});
