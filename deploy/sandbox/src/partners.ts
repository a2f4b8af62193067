import type { AnyPartner } from "./core/partner.ts";

/** Everybody the sandbox plays. */
export const partners: AnyPartner[] = [];
