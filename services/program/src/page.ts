import { PageClaimed } from "@tributary/contracts/events/program";
import { stream, when } from "@tributary/runtime/stream";

/** A page id, claimed once for ever: two programs can never share one. */
export const page = stream("page", { program_id: null } as { readonly program_id: string | null }, [
  when(PageClaimed, (_, { data: { program_id } }) => ({ program_id })),
]);
