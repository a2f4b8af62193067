import { attribution } from "@tributary/attribution/main";
import { INTERNAL_TOKEN_HEADER, signCaller } from "@tributary/runtime/http/internal-token";
import { realClock } from "@tributary/runtime/ports/clock";
import { Writer } from "@tributary/runtime/store/writer";
import { attributionAtWork, makeLink } from "./attribution-at-work.ts";
import { onGround } from "./ground.ts";
import { CREATOR } from "./metrics.ts";
import { compare, median, type Side } from "./rounds.ts";
import { click } from "./stored.ts";
import { atMost, type Figure } from "./table.ts";

const LINK = "BENCHLINK2";

/** A command, from its request to the answer, which is given when every read model shows it; beside one durable append alone. */
export const visibleFigures = (): Promise<Figure[]> =>
  onGround(async (ground) => {
    await ground.migratedAll();
    const { mounted, stop } = await attributionAtWork(ground);
    await makeLink(mounted, LINK);
    let names = 0;
    const rename = async (): Promise<void> => {
      const caller = {
        uid: "bench",
        email: null,
        user_id: "bench",
        user_type: "creator" as const,
        role: "user" as const,
        brand_id: null,
        creator_id: CREATOR,
        approved: true,
      };
      const answer = await mounted.app.inject({
        method: "PATCH",
        url: `/api/links/${LINK}`,
        headers: {
          [INTERNAL_TOKEN_HEADER]: signCaller(ground.secret("internal attribution"), "attribution", caller),
        },
        payload: { link_name: `Bench ${++names}` },
      });
      if (answer.statusCode !== 200 || answer.headers["x-read-model"])
        throw new Error(`a rename was answered ${answer.statusCode} ${answer.body}`);
    };
    const pool = ground.pool(attribution.name);
    const writer = new Writer(pool, "clicks", realClock, () => undefined);
    const append = async (): Promise<void> => {
      await writer.append({ append: [{ stream: "clicks/one", expect: -1, events: [click("one")] }] });
    };

    const commands: number[] = [];
    const appends: number[] = [];
    const { ours, peer } = await compare({ ours: timed(rename, commands), peer: timed(append, appends) });
    await pool.end();
    await stop();
    const rounds = commands.map((milliseconds, round) => milliseconds / appends[round]!).slice(1);
    return [
      {
        id: "visible",
        name: "command to visible, p50",
        value: median(commands.slice(1)),
        unit: "ms",
        cpu_us: ours.cpu_us,
        peer: { name: "one durable append", value: median(appends.slice(1)), cpu_us: peer.cpu_us },
        ratio: median(rounds),
        goal: atMost(8),
      },
    ];
  });

/** One after the other; each slice leaves its median in milliseconds. */
const timed =
  (act: () => Promise<void>, medians: number[]): Side =>
  async (until) => {
    const lasted: number[] = [];
    while (performance.now() < until) {
      const begun = performance.now();
      await act();
      lasted.push(performance.now() - begun);
    }
    medians.push(median(lasted));
    return lasted.length;
  };
