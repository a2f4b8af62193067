import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark";

const key = "tributary.theme";
const systemIsDark = () => matchMedia("(prefers-color-scheme: dark)");

/** The theme on the screen. The `data-theme` attribute of the document is its only home. */
export function useTheme(): Theme {
  return useSyncExternalStore(onThemeShown, shownTheme);
}

/** Shows the theme and remembers it; a choice that equals the system's is forgotten, so the page follows the system again. */
export function chooseTheme(theme: Theme): void {
  if (theme === systemTheme()) storage()?.removeItem(key);
  else storage()?.setItem(key, theme);
  show(theme);
}

/** Keeps the page in step with the system, and with a choice made in another tab, for as long as it is open. */
export function followTheme(): void {
  const follow = () => show(chosenTheme() ?? systemTheme());
  systemIsDark().addEventListener("change", follow);
  addEventListener("storage", follow);
  follow();
}

const shownTheme = (): Theme => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");
const systemTheme = (): Theme => (systemIsDark().matches ? "dark" : "light");

function chosenTheme(): Theme | null {
  const chosen = storage()?.getItem(key);
  return chosen === "light" || chosen === "dark" ? chosen : null;
}

/** Null where the browser forbids storage: a choice then holds for this page only. */
function storage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

function show(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  const ground = getComputedStyle(document.documentElement).getPropertyValue("--surface-page");
  for (const bar of document.querySelectorAll('meta[name="theme-color"]'))
    bar.setAttribute("content", ground);
}

function onThemeShown(changed: () => void): () => void {
  const watch = new MutationObserver(changed);
  watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => watch.disconnect();
}
