import { day } from "@tributary/contracts/dates";
import type { DataOf } from "@tributary/contracts/event";
import { CommissionBase, type ProgramSettingsChanged } from "@tributary/contracts/events/program";
import { z } from "zod";

/** On which of the report's two figures a brand pays since it first set so; before that a partnership's own copy holds. */
export const CommissionBases = z.object({
  versions: z.array(z.object({ effective_from: day, base: CommissionBase })),
});
export type CommissionBases = z.infer<typeof CommissionBases>;

/** What is set later takes the place of what was to begin no earlier. */
export const baseSet = (
  bases: CommissionBases | undefined,
  { effective_from, commission_base }: DataOf<typeof ProgramSettingsChanged>,
): CommissionBases => ({
  versions: [
    ...(bases?.versions ?? []).filter((version) => version.effective_from < effective_from),
    { effective_from, base: commission_base },
  ],
});
