import { CalendarCheck, type LucideIcon, Percent } from "lucide-react";
import { en } from "../../copy/en.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Confluence } from "./confluence.tsx";

const { claims } = en.home;

/** What the product is, the one step to begin, and its promise drawn: many sales flowing into one payout that adds up. */
export function Hero() {
  return (
    <div className="page-width my-auto grid grid-cols-1 items-center gap-10 pt-9 pb-13 sm:gap-12 sm:pt-18 sm:pb-21 lg:grid-cols-[minmax(0,1fr)_minmax(0,548px)] lg:gap-16">
      <div>
        <h1 className="text-display text-balance">{en.home.headline}</h1>
        <p className="mt-5.5 mb-7.5 max-w-[30em] text-lead text-pretty text-ink-2">{en.home.tagline}</p>
        <ButtonLink kind="primary" size="marketing" to="/signup" className="max-sm:w-full">
          {en.home.start}
        </ButtonLink>
        <dl className="mt-10 grid max-w-[30em] gap-3.5">
          <Claim icon={Percent} says={claims.commissions} because={claims.commissionsElsewhere} />
          <Claim icon={CalendarCheck} says={claims.payment} because={claims.paymentHow} />
        </dl>
      </div>
      <Confluence />
    </div>
  );
}

function Claim({ icon: Icon, says, because }: { icon: LucideIcon; says: string; because: string }) {
  return (
    <div className="relative grid gap-0.5 pl-9">
      <Icon size={20} strokeWidth={1.75} className="absolute top-0.5 left-0 text-river" aria-hidden="true" />
      <dt className="font-strong">{says}</dt>
      <dd className="text-ink-2">{because}</dd>
    </div>
  );
}
