import { ProgramCreated, ProgramEdited } from "@tributary/contracts/events/program";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const Programs = z.object({ visible: z.record(z.string(), z.boolean()) });
type Programs = z.infer<typeof Programs>;

const heard = (
  row: Programs | null,
  { data }: { data: { program_id: string; is_visible: boolean } },
): Programs => ({ visible: { ...row?.visible, [data.program_id]: data.is_visible } });

/** By brand: which of its programs can be seen. A creator who comes from one of them needs no approval. */
export const visiblePrograms = facts("visible-programs", Programs, {
  on: [when(ProgramCreated, heard), when(ProgramEdited, heard)],
  key: ({ data }) => data.brand_id,
});

/** Whether the brand has a program that can be seen. */
export const hasVisibleProgram = (row: Programs | null): boolean =>
  Object.values(row?.visible ?? {}).includes(true);
