import { Check, CheckCheck } from "lucide-react";
import { en } from "../../copy/en.ts";
import { samplePayout, traced } from "./sample-payout.ts";
import { Strands } from "./strands.tsx";

const words = en.home.sample;

/** Five sales of one creator run together into one payout, and every ten-thousandth of a dollar is accounted for. */
export function Confluence() {
  return (
    <figure className="relative">
      <ol className="grid grid-cols-1 gap-2 pr-14 sm:pr-24" aria-label={words.label}>
        {samplePayout.sales.map((sale) => (
          <SaleRow key={sale.when} {...sale} followed={sale === traced} />
        ))}
      </ol>
      <Strands width="narrow" />
      <Strands width="wide" />
      <Mouth />
      <figcaption className="mt-4.5 text-pretty text-ink-2">
        <strong className="font-strong text-ink">{words.promise}</strong> {words.promiseHow}
      </figcaption>
    </figure>
  );
}

type Row = (typeof samplePayout.sales)[number] & { followed: boolean };

function SaleRow({ when, what, formula, earned, followed }: Row) {
  return (
    <li
      className={`num flex h-14 items-center gap-3.5 rounded-control border bg-panel px-3 text-ui max-[359px]:gap-2 max-[359px]:px-2 max-[359px]:text-small sm:px-4 ${followed ? "border-cent-mark ring-1 ring-cent-mark" : "border-line"}`}
    >
      <span className="w-15 shrink-0 text-small text-ink-3 max-sm:hidden">{when}</span>
      <span className="min-w-0 flex-1">
        <span className="block truncate">{what}</span>
        <span className="block text-small text-ink-3">{formula}</span>
      </span>
      <b className={`font-strong ${followed ? "text-cent" : ""}`}>
        {earned.slice(0, -2)}
        <span className={followed ? "" : "text-ink-3"}>{earned.slice(-2)}</span>
      </b>
    </li>
  );
}

function Mouth() {
  return (
    <div className="relative mt-11 rounded-panel border border-line-2 bg-panel px-5 py-4.5">
      <div className="text-ink-2">{words.payout}</div>
      <div className="flex flex-wrap items-end justify-between gap-x-5 gap-y-1">
        <span className="num text-figure-1">{samplePayout.paid}</span>
        <span className="inline-flex min-h-5.5 items-center gap-1.25 rounded-mark bg-positive-subtle px-1.75 text-caption font-medium text-positive-ink">
          <Check size={12} aria-hidden="true" />
          {words.paid}
        </span>
      </div>
      <div className="num mt-2.5 flex flex-wrap items-center gap-x-2.5 gap-y-0.5 border-t border-line pt-2.5 text-small text-ink-2">
        <CheckCheck size={16} className="text-positive" aria-hidden="true" />
        <span>
          {words.sum} {samplePayout.sum}
        </span>
        <span>
          {words.rounding} {samplePayout.rounding}
        </span>
        <span>
          {words.unexplained} {samplePayout.unexplained}
        </span>
      </div>
    </div>
  );
}
