import { PageClaimed, ProgramCreated } from "@tributary/contracts/events/program";
import { CreateProgram } from "@tributary/contracts/http/program";
import { firstProgramId } from "@tributary/contracts/ids";
import { command } from "@tributary/runtime/command";
import { create } from "@tributary/runtime/decision";
import { page } from "../page.ts";
import { program } from "../program.ts";
import { describedAs, titled } from "../program-face.ts";
import { shownProgram } from "../read-models/programs.ts";

const PAGE_ID_LENGTH = 5;

/** A brand opens its program. There is one per brand, so that setting up twice never makes a second. */
export const createProgram = command({
  route: "POST /api/affiliate-programs",
  access: { as: "brand", owns: ({ brand_id }) => brand_id },
  input: CreateProgram,
  stream: program,
  id: (_, { brand_id }) => firstProgramId(brand_id!),
  status: 201,
  reads: ({ page_id }) => ({ wished: (page_id ? [page_id] : []).map((id) => page.at(id)) }),

  decide: (input, state, { wished }, { caller, code }) => {
    if (state.status !== "none") return [];
    const brand_id = caller!.brand_id!;
    const program_id = firstProgramId(brand_id);
    const free = wished[0]?.program_id === null;
    const page_id = input.page_id && free ? input.page_id : code(PAGE_ID_LENGTH);
    const { is_visible, auto_accept_applications, commission_base } = input;
    return [
      ProgramCreated({
        program_id,
        brand_id,
        title: titled(input.title),
        description: describedAs(input.description),
        is_visible,
        auto_accept_applications,
        logo_url: input.logo_url ?? null,
        page_id,
        commission_base,
      }),
      create(page.at(page_id), PageClaimed({ page_id, program_id })),
    ];
  },
  reply: (state) => (state.status === "none" ? null : shownProgram(state.face)),
});
