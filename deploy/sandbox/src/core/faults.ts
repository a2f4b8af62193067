import { z } from "zod";

/** What goes wrong: an error status, no answer at all, a torn connection before or after the work is done, a spoilt answer. */
const Action = z.union([
  z.strictObject({ status: z.int().min(400).max(599), retry_after: z.int().min(0).optional() }),
  z.enum(["hang", "reset_before", "reset_after", "malformed_json", "truncate"]),
]);

/** Which requests fail and how: the nth that matches or each with a probability, `times` times (for ever without it). */
export const Fault = z.strictObject({
  partner: z.string().optional(),
  method: z.string().optional(),
  path_regex: z.string().optional(),
  nth: z.int().min(1).optional(),
  probability: z.number().min(0).max(1).optional(),
  times: z.int().min(1).optional(),
  action: Action,
});
export type Fault = z.infer<typeof Fault>;
export type FaultAction = z.infer<typeof Action>;

type Armed = Fault & { id: string; seen: number; fired: number };

/** The injected faults; kept in memory only, so that a restart is always a way back to health. */
export class Faults {
  private armed: Armed[] = [];
  private count = 0;

  constructor(private readonly random: () => number) {}

  add(fault: Fault): Armed {
    const armed = { ...fault, id: `fault_${++this.count}`, seen: 0, fired: 0 };
    this.armed.push(armed);
    return armed;
  }

  list(): Armed[] {
    return this.armed;
  }

  clear(): void {
    this.armed = [];
  }

  /** The fault that strikes this request, if any; counts it. */
  strike(partner: string, method: string, path: string): FaultAction | null {
    for (const fault of this.armed) {
      if (fault.partner !== undefined && fault.partner !== partner) continue;
      if (fault.method !== undefined && fault.method.toUpperCase() !== method) continue;
      if (fault.path_regex !== undefined && !new RegExp(fault.path_regex).test(path)) continue;
      fault.seen++;
      if (fault.times !== undefined && fault.fired >= fault.times) continue;
      if (fault.nth !== undefined && fault.seen < fault.nth) continue;
      if (fault.nth !== undefined && fault.times === undefined && fault.seen > fault.nth) continue;
      if (fault.probability !== undefined && this.random() >= fault.probability) continue;
      fault.fired++;
      return fault.action;
    }
    return null;
  }
}
