import { attribution } from "@tributary/attribution/main";
import { billing } from "@tributary/billing/main";
import { catalog } from "@tributary/catalog/main";
import { earnings } from "@tributary/earnings/main";
import { gateway } from "@tributary/gateway/main";
import { identity } from "@tributary/identity/main";
import { landing } from "@tributary/landing/main";
import { program } from "@tributary/program/main";
import type { Service } from "@tributary/runtime/service";

/** The seven services, in the order of the road of one sale. */
export const services: readonly Service[] = [
  identity,
  catalog,
  program,
  attribution,
  earnings,
  billing,
  landing,
];

/** Everything with a database of its own: the seven and the gateway's read models. */
export const listeners: readonly Service[] = [...services, gateway];

/** Which service's database holds a log. */
export function ownerOf(log: string): string {
  const owner = listeners.find(({ logs }) => (logs as readonly string[]).includes(log));
  if (!owner) throw new Error(`no service writes a log ${log}`);
  return owner.name;
}
