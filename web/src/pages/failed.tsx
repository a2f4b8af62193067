import { RotateCw } from "lucide-react";
import { en } from "../copy/en.ts";
import { Button } from "../ui/button.tsx";
import { PageHead } from "../ui/page-head.tsx";

/** Shown in place of a page whose code could not be loaded or broke while drawing. The router logs the cause. */
export function Failed() {
  return (
    <main
      className="page-width grid min-h-dvh content-center justify-items-center gap-2 py-14 text-center"
      role="alert"
    >
      <PageHead title={en.failed.title} indexed={false} />
      <h1 className="text-title-1 text-balance">{en.failed.title}</h1>
      <p className="max-w-[42ch] text-pretty text-ink-2">{en.failed.text}</p>
      <Button kind="secondary" className="mt-4" onClick={() => location.reload()}>
        <RotateCw size={16} aria-hidden="true" />
        {en.failed.retry}
      </Button>
    </main>
  );
}
