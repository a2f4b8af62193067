import type { AnyPartner } from "./partner.ts";
import { partner } from "./partner.ts";

/** One e-mail that a partner has sent; `link` is what the reader is meant to click. */
export interface Mail {
  id: string;
  at: string;
  to: string;
  subject: string;
  html: string;
  link: string | null;
}

type State = { mails: Mail[] };

/** Text made safe for the inside of an HTML element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

function page(mails: Mail[]): string {
  const items = mails
    .map(
      ({ at, to, subject, html, link }) =>
        `<li><article><h2>${escapeHtml(subject)}</h2><p>To ${escapeHtml(to)}, <time>${at}</time></p>${html}` +
        `${link ? `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>` : ""}</article></li>`,
    )
    .join("");
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>Mailbox</title><style>body{font:16px/1.5 system-ui;max-width:44rem;margin:2rem auto;padding:0 1rem}` +
    `li{border:1px solid #ccc;border-radius:8px;padding:0 1rem;margin:1rem 0;list-style:none;overflow-wrap:anywhere}` +
    `ul{padding:0}</style></head><body><main><h1>Mailbox</h1>` +
    `${items ? `<ul>${items}</ul>` : "<p>No mail yet.</p>"}</main></body></html>`
  );
}

/** The one mailbox of all people: what any partner sends them lies here to be read, newest first. */
export const mailbox = partner<State, Mail>({
  name: "mail",
  prefixes: ["/_sandbox/mail"],
  initial: () => ({ mails: [] }),
  apply: ({ mails }, mail) => {
    mails.push(mail);
  },
  routes(app, ctx) {
    app.get("/_sandbox/mail", async (request, reply) => {
      const mails = [...ctx.state.mails].reverse();
      if (request.headers.accept?.includes("application/json")) return { mails };
      return reply.type("text/html; charset=utf-8").send(page(mails));
    });
  },
}) as AnyPartner;
