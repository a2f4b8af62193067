import { invalid } from "./errors.ts";
import { list, oneOf } from "./params.ts";

const known = oneOf("card", "us_bank_account");

/**
 * The kinds of payment methods an intent takes. The API version of the genuine SDK calls the parameter
 * `allowed_payment_method_types`, versions before it `payment_method_types`; either may be given, not both.
 */
export const methodTypes = {
  allowed_payment_method_types: list(known).optional(),
  payment_method_types: list(known).optional(),
};

type Named = "card" | "us_bank_account";

/** The kinds wanted: those named, all when none was. */
export function typesOf(given: {
  allowed_payment_method_types?: Named[] | undefined;
  payment_method_types?: Named[] | undefined;
}): { allowed_payment_method_types: Named[] | null; payment_method_types: Named[] } {
  const { allowed_payment_method_types: allowed, payment_method_types: older } = given;
  if (allowed && older)
    throw invalid(
      "You may only specify one of these parameters: allowed_payment_method_types, payment_method_types.",
      {
        code: "parameters_exclusive",
        param: "payment_method_types",
      },
    );
  return {
    allowed_payment_method_types: allowed ?? null,
    payment_method_types: allowed ?? older ?? ["card", "us_bank_account"],
  };
}
