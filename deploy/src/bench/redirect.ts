import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { attributionAtWork, DESTINATION, makeLink } from "./attribution-at-work.ts";
import { type Ground, onGround } from "./ground.ts";
import { helper } from "./helper-process.ts";
import { compare, type Side } from "./rounds.ts";
import { atLeast, type Figure, figureOf } from "./table.ts";

const LINK = "BENCHLINK1";
const WARM_MS = 300;
/** More than elsewhere: the two are so close that one round proves little. */
const ROUNDS = 9;

/**
 * Shoppers following a link, beside a fastify that answers 302 and nothing else; both in this process, asked from another. The
 * clicks that a slice leaves waiting are written before the next one begins, and every one of them must be found recorded.
 */
export const redirectFigures = (): Promise<Figure[]> =>
  onGround(async (ground) => {
    await ground.migratedAll();
    const bare = Fastify();
    bare.get("/r/:link_id", (_request, reply) => reply.redirect(DESTINATION, 302));
    await bare.listen({ port: 0, host: "127.0.0.1" });
    const load = helper("load.ts");
    const follow = async (app: typeof bare, milliseconds: number): Promise<number> => {
      const { port } = app.server.address() as AddressInfo;
      const answer = await load.ask(`${milliseconds} http://127.0.0.1:${port}/r/${LINK}`);
      if (!/^\d+$/.test(answer)) throw new Error(answer);
      return Number(answer);
    };

    const first = await attributionAtWork(ground);
    await makeLink(first.mounted, LINK);
    await first.stop();
    let at: Awaited<ReturnType<typeof attributionAtWork>> | null = null;
    let followed = 0;
    let draining_ms = 0;
    const open = async (): Promise<void> => {
      at = await attributionAtWork(ground);
      await at.mounted.app.listen({ port: 0, host: "127.0.0.1" });
      followed += await follow(at.mounted.app as typeof bare, WARM_MS);
    };
    const settle = async (): Promise<void> => {
      const begun = performance.now();
      await at?.stop();
      draining_ms += performance.now() - begun;
      at = null;
    };
    const ours: Side = async (until) => {
      const answered = await follow(at!.mounted.app as typeof bare, until - performance.now());
      followed += answered;
      return answered;
    };
    const peer: Side = (until) => follow(bare, until - performance.now());
    const compared = await compare({ ours, peer, rounds: ROUNDS, prepare: { ours: open }, settle });
    await load.end();
    await bare.close();
    await allRecorded(ground, followed);
    return [
      figureOf(
        {
          id: "redirect",
          name: "redirect with its click noted",
          unit: "requests/s",
          peer: "bare fastify 302",
          goal: atLeast(0.9),
        },
        compared,
      ),
      {
        id: "clicks-recorded",
        name: "clicks recorded afterwards",
        value: (followed * 1000) / draining_ms,
        unit: "clicks/s",
      },
    ];
  });

async function allRecorded(ground: Ground, followed: number): Promise<void> {
  const pool = ground.pool("attribution");
  const { rows } = await pool.query("select count(*) as clicks from clicks.events");
  await pool.end();
  if (Number(rows[0].clicks) !== followed)
    throw new Error(`${followed} shoppers followed the link, and ${rows[0].clicks} clicks are recorded`);
}
