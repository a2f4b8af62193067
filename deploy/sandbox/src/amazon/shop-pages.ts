import { escapeHtml } from "../core/mail.ts";
import type { Order, Product, Seller } from "./state.ts";

const STYLE =
  "body{font:16px/1.5 system-ui;margin:0;color:#1a1a1a;background:#fff}header{padding:1rem 1.5rem;border-bottom:1px solid #e5e5e5;font-weight:600}" +
  "main{max-width:60rem;margin:2rem auto;padding:0 1.5rem;display:grid;gap:2rem;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr))}" +
  "img{width:100%;border-radius:12px;background:#f4f4f4}h1{font-size:1.5rem;line-height:1.25;margin:.25rem 0}.price{font-size:1.75rem;margin:.5rem 0}" +
  "button{font:inherit;font-weight:600;padding:.75rem 1.5rem;border:0;border-radius:999px;background:#1f4f46;color:#fff;cursor:pointer}" +
  "button:disabled{background:#999;cursor:default}input{font:inherit;padding:.6rem;width:4rem;border:1px solid #999;border-radius:8px}small,.by{color:#555}";

function page(title: string, inner: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><header>The Shop <small>partner sandbox</small></header>` +
    `<main>${inner}</main></body></html>`
  );
}

/** A product's page with a button that buys it. */
export function productPage(seller: Seller, product: Product, image: string): string {
  const { asin, title, price, availability } = product;
  const soldOut = availability === "OUT_OF_STOCK";
  return page(
    title,
    `<img src="${escapeHtml(image)}" alt="" width="460" height="460"><div><p class="by">by ${escapeHtml(seller.name)}</p>` +
      `<h1>${escapeHtml(title)}</h1><p class="price">$${escapeHtml(price)}</p>` +
      `<p>${soldOut ? "Currently unavailable" : "In stock"} <small>${asin}</small></p>` +
      `<form method="post" action="/shop/buy"><input type="hidden" name="asin" value="${asin}">` +
      `<label>Quantity <input name="qty" type="number" min="1" max="99" value="1"></label> ` +
      `<button${soldOut ? " disabled" : ""}>Buy now</button></form></div>`,
  );
}

/** What a shopper sees after buying, with a way to send it back. */
export function thanksPage(product: Product, order: Order): string {
  return page(
    "Thank you",
    `<div><h1>Thank you for your order</h1><p>${order.qty} × ${escapeHtml(product.title)}, $${escapeHtml(order.price)} each</p>` +
      `<p><small>Order ${order.id}</small></p>` +
      (order.return_at === null
        ? `<form method="post" action="/shop/return"><input type="hidden" name="order" value="${order.id}"><button>Return this order</button></form>`
        : `<p>Returned.</p>`) +
      `</div>`,
  );
}

/** A page for what the shop does not have. */
export function sorryPage(text: string): string {
  return page("Sorry", `<div><h1>Sorry</h1><p>${escapeHtml(text)}</p></div>`);
}
