import type { ReadModel } from "@tributary/runtime/read-models/read-model";
import { z } from "zod";
import type { Place } from "./findings.ts";
import type { Ground } from "./ground.ts";

/** The table of the version that this code folds. */
export const tableOf = ({ name, version }: Pick<ReadModel<never>, "name" | "version">): string =>
  `documents.${name.replaceAll("-", "_")}_v${version}`;

/** Whether this version has been built where it lies. */
export async function isBuilt(
  ground: Ground,
  service: string,
  { name, version }: Pick<ReadModel<never>, "name" | "version">,
): Promise<boolean> {
  const rows = await ground
    .state(service)
    .rows("select from runtime.read_models where name = $1 and version = $2 and ready", [name, version]);
  return rows.length > 0;
}

export const documentPlace = (service: string, table: string, id: string): Place => ({
  service,
  stream: null,
  row: `${table} (${id})`,
});

/** The live documents of a read model, decoded; none while it has not been built. */
export async function* documents<T>(
  ground: Ground,
  service: string,
  model: ReadModel<T>,
): AsyncGenerator<{ place: Place; document: T }> {
  if (!(await isBuilt(ground, service, model))) return;
  const table = tableOf(model);
  const rows = ground
    .state(service)
    .stream<{ id: string; doc: unknown }>(`select id, doc from ${table} where doc is not null`);
  for await (const { id, doc } of rows) {
    const document = z.decode(model.schema, doc as never) as T;
    yield { place: documentPlace(service, table, id), document };
  }
}
