import { addDays, type Day } from "@tributary/contracts/dates";
import type { DataOf } from "@tributary/contracts/event";
import type { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import {
  type CommissionBase,
  PartnershipActivated,
  PartnershipEnded,
  ProgramSettingsChanged,
} from "@tributary/contracts/events/program";
import { inForce } from "@tributary/contracts/fees";
import { partnershipId } from "@tributary/contracts/ids";
import type { Cents } from "@tributary/contracts/money";
import { events } from "./events.ts";
import type { Ground } from "./ground.ts";

type Metric = DataOf<typeof PerfMetricIngested>;
type Partnership = DataOf<typeof PartnershipActivated> & { readonly ended_on: Day | null };

/** Sales so many days after the end of a partnership are still paid (scenario rules, 4). */
const TAIL_DAYS = 14;

const paysOn = ({ ended_on }: Partnership, date: Day): boolean =>
  ended_on === null || date <= addDays(ended_on, TAIL_DAYS);

/** What is to be earned of a metric, as agreed: whose days it lies in, and on which of its two figures. */
export class Agreements {
  readonly #partnerships = new Map<string, Partnership>();
  readonly #bases = new Map<string, { effective_from: Day; base: CommissionBase }[]>();

  static async of(ground: Ground): Promise<Agreements> {
    const agreements = new Agreements();
    const said = [PartnershipActivated, PartnershipEnded, ProgramSettingsChanged] as const;
    for await (const { type, data } of events(ground, said)) {
      if (type === "PartnershipActivated")
        agreements.#partnerships.set(data.partnership_id, { ...data, ended_on: null });
      else if (type === "PartnershipEnded") {
        const { partnership_id, ended_on } = data;
        const begun = agreements.#partnerships.get(partnership_id);
        if (begun) agreements.#partnerships.set(partnership_id, { ...begun, ended_on });
      } else {
        const { program_id, effective_from, commission_base: base } = data;
        const kept = (agreements.#bases.get(program_id) ?? []).filter(
          (known) => known.effective_from < effective_from,
        );
        agreements.#bases.set(program_id, [...kept, { effective_from, base }]);
      }
    }
    return agreements;
  }

  /** Whether the metric's date lies in its partnership's days; of a partnership nobody began it never does. */
  inDays({ partnership_id, date }: Pick<Metric, "partnership_id" | "date">): boolean {
    const partnership = this.#partnerships.get(partnership_id);
    return partnership !== undefined && date >= partnership.started_on && paysOn(partnership, date);
  }

  /** Whether somebody earns by having referred the metric's creator. */
  isReferred({ partnership_id, brand_id, date }: Metric): boolean {
    const { referrer_creator_id = null, referral_percent = null } =
      this.#partnerships.get(partnership_id) ?? {};
    if (referrer_creator_id === null || referral_percent === null) return false;
    const referrer = this.#partnerships.get(partnershipId(referrer_creator_id, brand_id));
    return referrer === undefined || paysOn(referrer, date);
  }

  /** The sales that are commissioned on the metric's date. */
  baseOf(metric: Metric): Cents {
    const partnership = this.#partnerships.get(metric.partnership_id);
    const versions = this.#bases.get(partnership?.source_program_id ?? "") ?? [];
    const base = inForce(versions, metric.date)?.base ?? partnership?.commission_base ?? "total";
    return base === "total" ? metric.total_attributed_sales_14d : metric.attributed_sales_14d;
  }
}
