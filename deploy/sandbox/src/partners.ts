import type { AnyPartner } from "./core/partner.ts";
import { identity } from "./identity/identity.ts";

/** Everybody the sandbox plays. */
export const partners: AnyPartner[] = [identity];
