import { SunMoon } from "lucide-react";
import { en } from "../copy/en.ts";
import { chooseTheme, useTheme } from "../look/theme.ts";
import { Button } from "../ui/button.tsx";

/** Switches between light and dark. As a row of the menu it says in words what the icon alone cannot. */
export function ThemeToggle({ as, className }: { as: "icon" | "row"; className?: string }) {
  const next = useTheme() === "dark" ? "light" : "dark";
  const words = next === "dark" ? en.nav.toDark : en.nav.toLight;
  const switchTheme = () => chooseTheme(next);
  if (as === "icon")
    return (
      <Button kind="quiet" size="icon" className={className} aria-label={words} onClick={switchTheme}>
        <SunMoon size={18} aria-hidden="true" />
      </Button>
    );
  return (
    <button type="button" className={className} onClick={switchTheme}>
      {words}
      <SunMoon size={18} strokeWidth={1.75} className="ml-auto" aria-hidden="true" />
    </button>
  );
}
