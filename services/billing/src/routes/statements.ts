import { route } from "@tributary/runtime/route";
import { z } from "zod";
import { charges } from "../read-models/charges.ts";
import { statements } from "../read-models/statements.ts";
import { statementLine } from "../statement-line.ts";

/** A creator's statements, the latest months first. */
export const listStatements = route("GET /api/earnings/statements", {
  access: { as: "creator" },
  input: z.object({ after: z.string().optional() }),
  handle: async ({ after }, asking) => {
    const creator_id = asking.caller!.creator_id!;
    const { items, next } = await asking
      .documents(statements)
      .where({ creator_id })
      .sort("-month", "brand_id")
      .page({ after });
    const paying = await asking
      .documents(charges)
      .many([...new Set(items.flatMap((of) => of.charge_id ?? []))]);
    const byId = new Map(paying.map((charge) => [charge.charge_id, charge]));
    return { items: items.map((of) => statementLine(of, byId.get(of.charge_id ?? ""))), next };
  },
});
