import type { Owner } from "@tributary/contracts/event";
import { listeners, ownerOf } from "../services.ts";
import type { Findings } from "./findings.ts";
import type { Ground } from "./ground.ts";

interface Step {
  readonly partition: number;
  readonly sequence: number;
  readonly stream: string;
  readonly version: number;
  readonly before: number;
}

/** The order is judged by the engine, so that only what is out of order has to be told. */
const steps = (log: Owner, of: "sequence" | "version", within: "partition" | "stream", by: string): string =>
  `select * from (select partition, sequence, stream, version, lag(${of}, 1, 0) over (partition by ${within} order by ${by}) as before
     from ${log}.events) e where ${of} <> before + 1 order by partition, sequence`;

async function logHasNoGaps(ground: Ground, log: Owner, findings: Findings): Promise<void> {
  const service = ownerOf(log);
  const snapshot = ground.log(log);
  const [counted] = await snapshot.rows<{ events: number; streams: number }>(
    `select count(*)::int as events, count(distinct stream)::int as streams from ${log}.events`,
  );
  findings.count("logs");
  findings.count("events", counted!.events);
  findings.count("streams", counted!.streams);
  const place = ({ partition, sequence, stream }: Step) => ({
    ...{ service, stream },
    row: `${log}.events (${partition}, ${sequence})`,
  });
  for await (const step of snapshot.stream<Step & Record<string, unknown>>(
    steps(log, "sequence", "partition", "sequence"),
  ))
    findings.found(
      place(step),
      `sequence ${step.sequence} of partition ${step.partition} follows ${step.before}`,
      String(step.sequence - step.before - 1),
    );
  for await (const step of snapshot.stream<Step & Record<string, unknown>>(
    steps(log, "version", "stream", "sequence"),
  ))
    findings.found(
      place(step),
      `version ${step.version} follows ${step.before}`,
      String(step.version - step.before - 1),
    );
}

/** What was heard once can't be missing later, not even the end of a log. */
async function nothingHeardIsMissing(ground: Ground, service: string, findings: Findings): Promise<void> {
  const rows = await ground
    .state(service)
    .rows<{ reader: string; source: Owner; partition: number; position: number }>(
      "select reader, source, partition, position from runtime.checkpoints order by reader, source, partition",
    );
  const heads = new Map<string, number>();
  for (const source of new Set(rows.map((row) => row.source)))
    for (const { partition, head } of await ground
      .log(source)
      .rows<{ partition: number; head: number }>(
        `select partition, max(sequence) as head from ${source}.events group by partition`,
      ))
      heads.set(`${source} ${partition}`, head);
  for (const { reader, source, partition, position } of rows) {
    findings.count("checkpoints");
    const head = heads.get(`${source} ${partition}`) ?? 0;
    if (position > head)
      findings.found(
        { service, stream: null, row: `runtime.checkpoints (${reader}, ${source}, ${partition})` },
        `${reader} has heard partition ${partition} of ${source} up to ${position}, which ends at ${head}`,
        String(position - head),
      );
  }
}

/** I5: in every log sequences run 1, 2, 3 in every partition and versions in every stream, and nothing is gone that somebody has heard. */
export async function noGaps(ground: Ground, findings: Findings): Promise<void> {
  for (const { logs } of listeners) for (const log of logs) await logHasNoGaps(ground, log, findings);
  for (const { name } of listeners) await nothingHeardIsMissing(ground, name, findings);
}
