import type { Day } from "@tributary/contracts/dates";
import type { DataOf } from "@tributary/contracts/event";
import {
  type CommissionBase,
  ProgramCreated,
  ProgramEdited,
  ProgramProductsSet,
  ProgramSettingsChanged,
} from "@tributary/contracts/events/program";
import { stream, when } from "@tributary/runtime/stream";
import type { z } from "zod";

/** Which sales the program pays on, from a day on. */
export interface BaseVersion {
  readonly commission_base: z.infer<typeof CommissionBase>;
  readonly effective_from: Day | null;
}

interface Created {
  readonly status: "created";
  /** Its public face, as it was said last. */
  readonly face: DataOf<typeof ProgramEdited>;
  readonly bases: readonly BaseVersion[];
  readonly product_ids: readonly string[];
  /** Version of the last choice of products; 0 before the first. */
  readonly products_version: number;
}
type State = { readonly status: "none" } | Created;
export type ProgramState = State;

/** The versions after another base was chosen: one that was to begin on the same day gives way to it. */
export const withBase = <V extends BaseVersion>(bases: readonly V[], chosen: V): V[] => [
  ...bases.filter(({ effective_from }) => (effective_from ?? "") < (chosen.effective_from ?? "")),
  chosen,
];

const created = (state: State, change: (program: Created) => Partial<Created>): State =>
  state.status === "none" ? state : { ...state, ...change(state) };

/** A brand's program: its face, what it pays on, and its products. */
export const program = stream("program", { status: "none" } as State, [
  when(ProgramCreated, (_, { data: { commission_base, ...face } }) => ({
    status: "created",
    face,
    bases: [{ commission_base, effective_from: null }],
    product_ids: [],
    products_version: 0,
  })),
  when(ProgramEdited, (state, { data: face }) => created(state, () => ({ face }))),
  when(ProgramSettingsChanged, (state, { data: { commission_base, effective_from } }) =>
    created(state, ({ bases }) => ({ bases: withBase(bases, { commission_base, effective_from }) })),
  ),
  when(ProgramProductsSet, (state, { data: { product_ids }, version }) =>
    created(state, () => ({ product_ids, products_version: version })),
  ),
]);
