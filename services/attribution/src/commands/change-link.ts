import { LinkArchived, LinkRenamed, LinkUnarchived } from "@tributary/contracts/events/attribution";
import { ChangedLink } from "@tributary/contracts/http/attribution";
import { command } from "@tributary/runtime/command";
import { notFound } from "@tributary/runtime/refusal";
import { link } from "../link.ts";
import { NO_TOTALS, showLink } from "../read-models/links.ts";

/** Its creator renames a link, hides it from lists or brings it back. It keeps redirecting and earning whatever is done here. */
export const changeLink = command({
  route: "PATCH /api/links/:linkId",
  access: { as: "creator", owns: (_, state) => (state.status === "made" ? state.creator_id : null) },
  input: ChangedLink,
  stream: link,
  id: ({ linkId }) => linkId,
  decide: ({ link_name, is_archived }, state) => {
    if (state.status === "none") throw notFound("Link");
    const { link_id, brand_id, creator_id } = state;
    const whose = { link_id, brand_id, creator_id };
    return [
      ...(link_name !== undefined && link_name !== state.link_name
        ? [LinkRenamed({ ...whose, link_name })]
        : []),
      ...(is_archived === true && !state.is_archived ? [LinkArchived(whose)] : []),
      ...(is_archived === false && state.is_archived ? [LinkUnarchived(whose)] : []),
    ];
  },
  reply: (state) => (state.status === "made" ? showLink(state, NO_TOTALS) : null),
});
