import { generate } from "selfsigned";
import type { Context } from "../core/partner.ts";
import type { Certificate } from "./objects.ts";
import type { Change, State } from "./state.ts";

const making = new WeakMap<Context<State, Change>, Promise<Certificate>>();

async function make(ctx: Context<State, Change>): Promise<Certificate> {
  const pems = await generate([{ name: "commonName", value: "messageverificationcerts.sandbox.invalid" }], {
    algorithm: "sha256",
    keySize: 2048,
    notBeforeDate: new Date("2020-01-01T00:00:00Z"),
    notAfterDate: new Date("2050-01-01T00:00:00Z"),
  });
  const row: Certificate = {
    kind: "certificate",
    id: ctx.id("CERT-", 16),
    certificate: pems.cert,
    key: pems.private,
  };
  ctx.record({ put: [row], drop: [], movements: [] });
  return row;
}

/** The certificate of this sandbox: made at the first start, the same at every later one. */
export async function certificateOf(ctx: Context<State, Change>): Promise<Certificate> {
  const [kept] = ctx.state.rows.certificate.values();
  if (kept) return kept;
  const made = making.get(ctx) ?? make(ctx).finally(() => making.delete(ctx));
  making.set(ctx, made);
  return made;
}
