import type { Month } from "@tributary/contracts/dates";
import type { DataOf } from "@tributary/contracts/event";
import {
  CarriedIn,
  ChargeRequested,
  type ChargeShare,
  CycleCharged,
  CycleClosed,
  CycleTotalled,
  EarningBooked,
  PayoutReturned,
  PayoutSucceeded,
  StatementIssued,
} from "@tributary/contracts/events/billing";
import type { Cents } from "@tributary/contracts/money";
import { asCents, asE4, type E4, NO_E4 } from "@tributary/contracts/money";
import { events } from "./events.ts";
import { type Place, placeOf } from "./findings.ts";
import type { Ground } from "./ground.ts";

/** A figure and the row that says it. */
export interface Said<D> {
  readonly data: D;
  readonly place: Place;
}

/** What one brand owes one creator for one month, with all that was made of it. */
export interface Statement {
  /** Where it begins. */
  readonly place: Place;
  readonly month: Month;
  readonly booked: { commission: E4; referral: E4; adjustments: E4 };
  readonly carried: Said<DataOf<typeof CarriedIn>>[];
  issued: Said<DataOf<typeof StatementIssued>> | null;
  readonly shares: Said<ChargeShare>[];
  /** What was paid out, and below zero what came back. */
  readonly paid: Said<Cents>[];
}

/** How far a month has come. */
export interface Cycle {
  closed: DataOf<typeof CycleClosed> | null;
  totalled: boolean;
  charged: boolean;
}

const column = { commission: "commission", referral: "referral", adjustment: "adjustments" } as const;

/** The books of billing by statement and by month, folded from its log. */
export class Books {
  readonly statements = new Map<string, Statement>();
  readonly cycles = new Map<Month, Cycle>();

  static async of(ground: Ground): Promise<Books> {
    const books = new Books();
    const said = [EarningBooked, CarriedIn, StatementIssued, ChargeRequested] as const;
    const paid = [PayoutSucceeded, PayoutReturned] as const;
    const steps = [CycleClosed, CycleTotalled, CycleCharged] as const;
    for await (const event of events(ground, [...said, ...paid, ...steps] as const)) {
      const place = placeOf(event);
      switch (event.type) {
        case "EarningBooked": {
          const { booked } = books.statement(event.data.statement_id, event.data.month, place);
          const of = column[event.data.booked_as];
          booked[of] = asE4(booked[of] + event.data.amount);
          break;
        }
        case "CarriedIn":
          books
            .statement(event.data.statement_id, event.data.month, place)
            .carried.push({ data: event.data, place });
          break;
        case "StatementIssued":
          books.statement(event.data.statement_id, event.data.month, place).issued = {
            data: event.data,
            place,
          };
          break;
        case "ChargeRequested":
          for (const data of event.data.breakdown)
            books.statement(data.statement_id, event.data.month, place).shares.push({ data, place });
          break;
        case "PayoutSucceeded":
          books
            .statement(event.data.statement_id, event.data.month, place)
            .paid.push({ data: event.data.amount_cents, place });
          break;
        case "PayoutReturned":
          if (event.data.was_paid)
            books
              .statement(event.data.statement_id, event.data.month, place)
              .paid.push({ data: asCents(-event.data.amount_cents), place });
          break;
        case "CycleClosed":
          books.cycle(event.data.month).closed = event.data;
          break;
        case "CycleTotalled":
          books.cycle(event.data.month).totalled = true;
          break;
        case "CycleCharged":
          books.cycle(event.data.month).charged = true;
      }
    }
    return books;
  }

  /** The statement of this id, begun by whatever speaks of it first. */
  statement(id: string, month: Month, place: Place): Statement {
    let statement = this.statements.get(id);
    if (!statement) {
      const booked = { commission: NO_E4, referral: NO_E4, adjustments: NO_E4 };
      statement = { place, month, booked, carried: [], issued: null, shares: [], paid: [] };
      this.statements.set(id, statement);
    }
    return statement;
  }

  cycle(month: Month): Cycle {
    let cycle = this.cycles.get(month);
    if (!cycle) {
      cycle = { closed: null, totalled: false, charged: false };
      this.cycles.set(month, cycle);
    }
    return cycle;
  }
}
