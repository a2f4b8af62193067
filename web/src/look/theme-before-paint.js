// Runs before the first paint, as a plain blocking script: the page never flashes in the wrong theme.
// The key and the rule are those of theme.ts, which takes over once the page runs; a test holds the two together.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem("tributary.theme");
  } catch {
    // A browser that forbids storage holds no choice: the system decides.
    chosen = null;
  }
  const systemIsDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const dark = chosen === "dark" || (chosen !== "light" && systemIsDark);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}
