import { day } from "@tributary/contracts/dates";
import { CommissionBase, ProgramSettingsChanged } from "@tributary/contracts/events/program";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** The commission bases a brand set for its program after the start; before the first, a partnership's own copy holds. */
export const CommissionBases = z.object({
  versions: z.array(z.object({ effective_from: day, base: CommissionBase })),
});
export type CommissionBases = z.infer<typeof CommissionBases>;

/** On which of the report's two figures a brand pays, by program. What is set later replaces what was to begin no earlier. */
export const commissionBases = facts("commission_bases", CommissionBases, {
  on: [
    when(ProgramSettingsChanged, (bases, { data: { effective_from, commission_base } }) => ({
      versions: [
        ...(bases?.versions ?? []).filter((version) => version.effective_from < effective_from),
        { effective_from, base: commission_base },
      ],
    })),
  ],
  key: ({ data }) => data.program_id,
});
