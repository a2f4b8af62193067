import type { DataOf } from "@tributary/contracts/event";
import { CreatorReferred } from "@tributary/contracts/events/program";
import { stream, when } from "@tributary/runtime/stream";

type State = { readonly by_brand: Readonly<Record<string, DataOf<typeof CreatorReferred>>> };

/** By whom a creator was referred, keyed by that creator: at most once to each brand, and the first code counts. */
export const referred = stream("referred", { by_brand: {} } as State, [
  when(CreatorReferred, ({ by_brand }, { data }) => ({ by_brand: { ...by_brand, [data.brand_id]: data } })),
]);
