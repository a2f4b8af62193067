import { type FastRoute, fastRoute, type Opening } from "@tributary/runtime/fast-route";
import { amazonSettings } from "../amazon/settings.ts";
import { link } from "../link.ts";
import { atShop } from "../link-url.ts";
import { links } from "../read-models/links.ts";
import { ClickRecorder } from "./click-recorder.ts";
import { clicked } from "./clicked.ts";
import { RecentLinks } from "./recent-links.ts";
import { visitors } from "./visitors.ts";

type Handle = Awaited<ReturnType<FastRoute["open"]>>;
type Reply = Parameters<Handle>[1];
type Follow = Parameters<Handle>[0] & { params: { link_id: string }; query: { test?: string } };

const WARM = 10_000;
const LINK_ID = /^[A-Za-z0-9]{10}$/;

/**
 * A shopper follows a link. The answer comes from memory; only a link not followed lately costs one read. Archived links lead
 * on, unknown ones to the error page. `?test=1` isn't counted.
 */
export const followLink = fastRoute("GET /r/:link_id", {
  access: { as: "public" },
  open: async (opening) => {
    const shop = opening.use(amazonSettings).AMAZON_RETAIL_URL;
    const recent = new RecentLinks(async (link_id) => {
      if (!LINK_ID.test(link_id)) return null;
      const { state } = await opening.read({ state: link.at(link_id) });
      return state.status === "made" ? atShop(state.url, shop) : null;
    });
    await warm(opening, (link_id, url) => recent.put(link_id, atShop(url, shop)));

    const salted = opening.use(visitors);
    const recorder = new ClickRecorder(
      async (noted) => {
        const events = await clicked(salted, noted);
        await opening.act({}, () => events);
      },
      salted.pause,
      opening.log,
      (work) => opening.background(work),
    );
    opening.onStop(() => recorder.finish());

    const send = (request: Follow, reply: Reply, link_id: string, url: string): void => {
      if (request.query.test !== "1") {
        const { headers } = request;
        recorder.note({
          link_id,
          at: opening.clock.now(),
          address: String(headers["x-forwarded-for"] ?? request.ip),
          agent: headers["user-agent"] ?? "",
          referrer: headers.referer ?? "",
        });
      }
      redirect(reply, url);
    };

    return (plain, reply) => {
      const request = plain as Follow;
      const { link_id } = request.params;
      const known = recent.get(link_id);
      if (known !== undefined) return send(request, reply, link_id, known);
      return recent.find(link_id).then((url) => {
        if (url !== null) return send(request, reply, link_id, url);
        const error = new URLSearchParams({ type: "link_not_found", id: link_id });
        redirect(reply, `/link-redirect-error?${error}`);
      });
    };
  },
});

/** Written to the socket as it is: the answer has no body that anything could serialize, and this is the product's hottest line. */
function redirect(reply: Reply, location: string): void {
  reply.hijack();
  reply.raw.writeHead(302, ["location", location, "cache-control", "no-store", "content-length", "0"]).end();
}

/** The newest links are known before the first shopper comes. */
async function warm(opening: Opening, put: (link_id: string, url: string) => void): Promise<void> {
  let after: string | null = null;
  let count = 0;
  do {
    const page: { items: { link_id: string; url: string }[]; next: string | null } = await opening
      .documents(links)
      .sort("-created_at")
      .page({ after, limit: 500 });
    for (const { link_id, url } of page.items) put(link_id, url);
    count += page.items.length;
    after = page.next;
  } while (after !== null && count < WARM);
}
