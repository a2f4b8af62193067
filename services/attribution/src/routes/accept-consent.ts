import { AmazonCallback } from "@tributary/contracts/http/attribution";
import { type Refusal, unprocessable } from "@tributary/runtime/refusal";
import { route } from "@tributary/runtime/route";
import { amazon } from "../amazon/amazon.ts";
import { AmazonRefused, GrantLost } from "../amazon/failures.ts";
import { connectSeller } from "../connection/connect-seller.ts";
import { answering } from "../connection/in-the-brands-name.ts";
import { currentConnection } from "./current-connection.ts";

const refused = (code: string): Refusal =>
  unprocessable(
    code,
    "Amazon connection was not successful. Please try connecting your Amazon account again.",
  );

/** The browser brings back what the retailer gave it. The state must be the one this caller's brand was given, once. */
export const acceptConsent = route("POST /api/amazon/callback", {
  access: { as: "brand" },
  input: AmazonCallback,
  handle: async ({ code, state }, asking) => {
    const brand_id = asking.caller!.brand_id!;
    await answering(asking, brand_id, async () => {
      if (!(await accept(brand_id, code, state))) throw refused("unknown_state");
      await connectSeller(asking, brand_id);
    });
    return currentConnection(asking, brand_id);

    /** A refused code says nothing about a connection that stands. */
    async function accept(...consent: [string, string, string]): Promise<boolean> {
      try {
        return await asking.use(amazon).acceptConsent(...consent);
      } catch (error) {
        if (error instanceof GrantLost || error instanceof AmazonRefused) throw refused("consent_refused");
        throw error;
      }
    }
  },
});
