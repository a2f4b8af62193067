import { type ClockStart, VirtualClock } from "./clock.ts";
import { Faults } from "./faults.ts";
import { type Mail, mailbox } from "./mail.ts";
import type { AnyPartner, Context, Delivery } from "./partner.ts";
import { type Due, PassageOfTime } from "./passage-of-time.ts";
import { drawLetters, drawNumber } from "./random.ts";
import { RequestJournal } from "./requests.ts";
import { Store } from "./store.ts";
import { Webhooks } from "./webhooks.ts";

/** A partner together with what it sees of the sandbox. */
export interface Playing {
  partner: AnyPartner;
  ctx: Context<unknown, unknown>;
}

/** Where the product can be asked whether it is quiet, and where people reach the sandbox's pages through it. */
interface Settings {
  quiet_url: string | null;
  public_origin: string | null;
}

/** Everything the partners share: memory, time, webhooks, mail, faults and the journal of requests. */
export class World {
  readonly store: Store;
  readonly clock: VirtualClock;
  readonly webhooks: Webhooks;
  readonly time: PassageOfTime;
  readonly requests = new RequestJournal();
  readonly faults: Faults;
  readonly playing: Playing[] = [];
  private readonly settings;
  private address = "";

  constructor(options: { directory: string; seed: number; clock: ClockStart; partners: AnyPartner[] }) {
    this.store = new Store(options.directory, options.seed);
    this.clock = new VirtualClock(this.store, options.clock);
    this.webhooks = new Webhooks(
      this.store,
      () => this.clock.now(),
      (delivery) => this.sign(delivery),
    );
    this.settings = this.store.cell<Settings, Partial<Settings>>(
      "settings",
      () => ({ quiet_url: null, public_origin: null }),
      (state, change) => {
        Object.assign(state, change);
      },
    );
    this.time = new PassageOfTime(
      this.clock,
      () => this.dues(),
      () => this.settings.state().quiet_url,
    );
    let draws = 0;
    this.faults = new Faults(() => drawNumber(this.store.seed, "faults", draws++));
    const mail = this.play(mailbox, null);
    for (const played of options.partners)
      this.play(played, (sent) =>
        mail.record({
          id: mail.id("mail_", 16),
          at: this.clock.now().toISOString(),
          ...sent,
          link: sent.link ?? null,
        } satisfies Mail),
      );
    this.store.load();
    this.store.onChange(() => this.time.changed());
  }

  private play(
    partner: AnyPartner,
    send: Context<unknown, unknown>["mail"]["send"] | null,
  ): Context<unknown, unknown> {
    const cell = this.store.cell(partner.name, () => partner.initial(), partner.apply.bind(partner));
    const ctx: Context<unknown, unknown> = {
      get state() {
        return cell.state();
      },
      record: cell.record,
      now: () => this.clock.now(),
      id: (prefix, length = 24) => prefix + drawLetters(this.store.seed, partner.name, cell.draw(), length),
      random: () => drawNumber(this.store.seed, partner.name, cell.draw()),
      origin: () => this.address,
      publicOrigin: () => this.settings.state().public_origin ?? this.address,
      webhooks: this.webhooks,
      mail: {
        send: (mail) => {
          if (!send) throw new Error(`${partner.name} sends no mail`);
          send(mail);
        },
      },
      journal: this.requests,
    };
    this.playing.push({ partner, ctx });
    return ctx;
  }

  private dues(): Due[] {
    const partners = this.playing
      .filter(({ partner }) => partner.nextDue && partner.settle)
      .map(({ partner, ctx }) => ({
        name: partner.name,
        nextDue: () => partner.nextDue!(ctx.state),
        settle: async () => partner.settle!(ctx),
      }));
    return [
      ...partners,
      { name: "webhooks", nextDue: () => this.webhooks.nextDue(), settle: () => this.webhooks.deliverDue() },
    ];
  }

  private async sign(delivery: Delivery): Promise<Record<string, string>> {
    const signer = this.playing.find(({ partner }) => partner.signs?.includes(delivery.to));
    if (!signer?.partner.sign) throw new Error(`Nobody signs the webhooks of ${delivery.to}`);
    return signer.partner.sign(delivery, signer.ctx);
  }

  /** The partner a path belongs to. */
  ownerOf(path: string): AnyPartner | undefined {
    return this.playing.find(({ partner }) => partner.prefixes.some((prefix) => path.startsWith(prefix)))
      ?.partner;
  }

  set(settings: Partial<Settings>): void {
    this.settings.record(settings);
  }

  /** Back to the first day, as if the data directory had been empty. */
  reset(seed?: number): void {
    this.store.reset(seed);
    this.requests.clear();
    this.faults.clear();
    this.clock.wake();
  }

  /** The sandbox is reachable now: time may pass. */
  begin(address: string): void {
    this.address = address;
    this.time.stir();
  }

  close(): void {
    this.time.close();
    this.clock.wake();
    this.store.close();
  }
}
