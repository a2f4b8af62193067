import { Menu, X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { en } from "../copy/en.ts";
import { Button } from "../ui/button.tsx";

type Props = { links: { to: string; words: string }[]; last: (rowLook: string) => ReactNode };

/** The places of the bar on a phone. Escape, a press outside, leaving it with Tab, or going somewhere closes it. */
export function NavMenu({ links, last }: Props) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  const whole = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const { key: place } = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving anywhere closes the menu, even at the same address
  useEffect(() => setOpen(false), [place]);

  useEffect(() => {
    if (!open) return;
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !whole.current?.contains(target)) setOpen(false);
    };
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      opener.current?.focus();
    };
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("focusin", closeOutside);
    document.addEventListener("keydown", closeOnEscape);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("focusin", closeOutside);
      document.removeEventListener("keydown", closeOnEscape);
    };
  }, [open]);

  const Icon = open ? X : Menu;
  return (
    <div ref={whole} className="sm:hidden">
      <Button
        ref={opener}
        kind="quiet"
        size="icon"
        className="-mr-3"
        aria-label={en.nav.menu}
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
      >
        <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      </Button>
      <nav
        id={panel}
        aria-label={en.nav.label}
        hidden={!open}
        className="absolute inset-x-0 top-full animate-unfold border-b border-line-2 bg-overlay px-2 py-2 shadow-menu"
      >
        {links.map(({ to, words }) => (
          <Link key={to} to={to} className={rowLook}>
            {words}
          </Link>
        ))}
        {last(rowLook)}
      </nav>
    </div>
  );
}

const rowLook =
  "flex min-h-11 w-full items-center gap-3 rounded-control px-3 text-left font-medium text-ink transition-colors hover:bg-sunken";
