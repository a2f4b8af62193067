import type { ComponentProps } from "react";
import { Link } from "react-router-dom";

type Look = { kind: "primary" | "secondary" | "quiet"; size?: "control" | "marketing" | "icon" };

const shape =
  "inline-flex items-center justify-center gap-2 border rounded-control font-medium whitespace-nowrap select-none transition-colors active:translate-y-[0.5px]";
const kinds = {
  primary: "border-transparent bg-river text-on-river hover:bg-river-strong",
  secondary: "border-line-control bg-panel text-ink hover:bg-sunken",
  quiet: "border-transparent text-ink hover:bg-sunken",
};
const sizes = {
  control: "min-h-(--control) px-3.5",
  marketing: "min-h-12 px-5.5 text-[1rem]",
  icon: "size-(--control)",
};

const look = ({ kind, size = "control" }: Look, more = "") =>
  `${shape} ${kinds[kind]} ${sizes[size]} ${more}`;

/** Does something on this page. One primary button per view. */
export function Button({ kind, size, className, ...rest }: Look & ComponentProps<"button">) {
  return <button type="button" className={look({ kind, size }, className)} {...rest} />;
}

/** Leads to another page, and looks like a button because it is the step this page is for. */
export function ButtonLink({ kind, size, className, ...rest }: Look & ComponentProps<typeof Link>) {
  return <Link className={look({ kind, size }, className)} {...rest} />;
}
