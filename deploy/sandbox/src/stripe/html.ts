import { escapeHtml } from "../core/mail.ts";

/** A plain page of Stripe's, as the sandbox shows it; `body` is markup. */
export function htmlPage(title: string, body: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escapeHtml(title)}</title><style>body{font:16px/1.5 system-ui;max-width:32rem;margin:3rem auto;padding:0 1rem}` +
    `button{font:inherit;padding:.5rem 1rem;margin:.25rem .5rem .25rem 0}input{font:inherit;padding:.4rem}</style></head>` +
    `<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  );
}

/** A form that posts the choice made to the page's own address. */
export function choices(name: string, options: Record<string, string>): string {
  const buttons = Object.entries(options).map(
    ([value, label]) => `<button name="${name}" value="${escapeHtml(value)}">${escapeHtml(label)}</button>`,
  );
  return `<form method="post">${buttons.join("")}</form>`;
}
