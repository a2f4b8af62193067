import { House } from "lucide-react";
import { en } from "../copy/en.ts";
import { ButtonLink } from "../ui/button.tsx";
import { PageHead } from "../ui/page-head.tsx";

/** Every address that no page answers to. */
export function Component() {
  return (
    <>
      <PageHead title={en.notFound.title} indexed={false} />
      <div className="page-width my-auto grid justify-items-center gap-2 py-14 text-center">
        <LostStream />
        <h1 className="text-title-1 text-balance">{en.notFound.title}</h1>
        <p className="max-w-[42ch] text-pretty text-ink-2">{en.notFound.text}</p>
        <ButtonLink kind="secondary" to="/" className="mt-4">
          <House size={16} aria-hidden="true" />
          {en.notFound.home}
        </ButtonLink>
      </div>
    </>
  );
}

/** A stream that breaks off, and the traced one turning back. */
function LostStream() {
  return (
    <svg
      width="176"
      height="104"
      viewBox="0 0 176 104"
      fill="none"
      strokeWidth="4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="mb-3"
    >
      <path className="stroke-river" d="M16 26H70a18 18 0 0 1 18 18V58" />
      <path className="stroke-ink-3" strokeWidth="1.5" d="M78 66l20-6" />
      <path className="stroke-line-2" strokeDasharray="1 8" d="M88 72V100" />
      <path className="stroke-cent-mark" d="M160 26H128a18 18 0 0 0-18 18v6a18 18 0 0 0 18 18h32" />
      <circle className="fill-cent-mark" cx="160" cy="68" r="5.5" />
    </svg>
  );
}
