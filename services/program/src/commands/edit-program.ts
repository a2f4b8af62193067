import { isDeepStrictEqual } from "node:util";
import { addDays } from "@tributary/contracts/dates";
import { PageClaimed, ProgramEdited, ProgramSettingsChanged } from "@tributary/contracts/events/program";
import { inForce } from "@tributary/contracts/fees";
import { EditProgram } from "@tributary/contracts/http/program";
import { command } from "@tributary/runtime/command";
import { presentDay } from "@tributary/runtime/days";
import { create } from "@tributary/runtime/decision";
import { conflict, notFound } from "@tributary/runtime/refusal";
import { days } from "../day.ts";
import { page } from "../page.ts";
import { program } from "../program.ts";
import { describedAs, titled } from "../program-face.ts";
import { shownOwnProgram } from "../read-models/programs.ts";

/** A brand changes what its program says, whether it is seen, and, from the next day, which sales it pays on. */
export const editProgram = command({
  route: "PATCH /api/affiliate-programs/:id",
  access: { as: "brand", owns: (_, state) => (state.status === "none" ? null : state.face.brand_id) },
  input: EditProgram,
  stream: program,
  id: ({ id }) => id,
  reads: ({ id, page_id }) => ({
    day: days.guard(program.at(id)),
    wished: (page_id ? [page_id] : []).map((wish) => page.at(wish)),
  }),

  decide: (asked, state, { day, wished }, { caller, today }) => {
    if (state.status === "none") throw notFound("Program");
    const date = presentDay(day, today);
    const { program_id, brand_id } = state.face;
    const face = {
      ...state.face,
      title: asked.title === undefined ? state.face.title : titled(asked.title),
      description: asked.description === undefined ? state.face.description : describedAs(asked.description),
      is_visible: asked.is_visible ?? state.face.is_visible,
      auto_accept_applications: asked.auto_accept_applications ?? state.face.auto_accept_applications,
      logo_url: asked.logo_url === undefined ? state.face.logo_url : asked.logo_url,
      page_id: asked.page_id ?? state.face.page_id,
    };
    const claimed = wished[0]?.program_id ?? null;
    if (claimed !== null && claimed !== program_id) {
      throw conflict("page_id_taken", "Another program already has this page id");
    }
    const effective_from = addDays(date, 1);
    const base = asked.commission_base;
    const rebased = base !== undefined && inForce(state.bases, effective_from)!.commission_base !== base;
    return [
      ...(isDeepStrictEqual(face, state.face) ? [] : [ProgramEdited(face)]),
      ...(wished[0] && claimed === null
        ? [create(page.at(face.page_id), PageClaimed({ page_id: face.page_id, program_id }))]
        : []),
      ...(rebased
        ? [
            ProgramSettingsChanged({
              program_id,
              brand_id,
              commission_base: base,
              effective_from,
              set_by: caller!.user_id!,
            }),
          ]
        : []),
    ];
  },
  reply: (state, _, { day }) =>
    state.status === "none" ? null : shownOwnProgram(state.face, state.bases, state.product_ids, day.date!),
});
