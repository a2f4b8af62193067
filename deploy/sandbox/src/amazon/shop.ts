import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { check, type Flaw, form, PartnerError } from "../core/strict.ts";
import { recordClick } from "./clicks.ts";
import { type AmazonContext, byAsin } from "./context.ts";
import { productImage } from "./product-image.ts";
import { productPage, sorryPage, thanksPage } from "./shop-pages.ts";
import type { Order } from "./state.ts";

const HTML = "text/html; charset=utf-8";
const Buy = z.strictObject({ asin: z.string(), qty: z.coerce.number().int().min(1).max(99).default(1) });
const Return = z.strictObject({ order: z.string() });

function refuse({ message }: Flaw): PartnerError {
  return new PartnerError(400, sorryPage(message), { "content-type": HTML });
}

function sorry(reply: FastifyReply, text: string): FastifyReply {
  return reply.code(404).type(HTML).send(sorryPage(text));
}

/** The shop itself: product pages that notice where the shopper came from, buying and returning. */
export function shop(app: FastifyInstance, ctx: AmazonContext): void {
  function shopperOf(request: FastifyRequest, reply: FastifyReply): string {
    const named = request.headers["x-shopper"];
    if (typeof named === "string") return named;
    const cookie = /(?:^|;\s*)shopper=([\w-]{1,80})/.exec(request.headers.cookie ?? "")?.[1];
    if (cookie) return cookie;
    const fresh = ctx.id("shopper_", 20);
    reply.header("set-cookie", `shopper=${fresh}; Path=/shop; Max-Age=31536000; SameSite=Lax; HttpOnly`);
    return fresh;
  }

  app.get<{ Params: { asin: string } }>("/shop/dp/:asin", async (request, reply) => {
    const shopper = shopperOf(request, reply);
    recordClick(ctx, request.url, shopper);
    const sold = byAsin(ctx.state, request.params.asin);
    if (!sold) return sorry(reply, `We could not find ${request.params.asin}.`);
    const image = sold.product.image_url ?? `/shop/img/${sold.product.asin}.svg`;
    return reply
      .type(HTML)
      .header("cache-control", "no-store")
      .send(productPage(sold.seller, sold.product, image));
  });

  app.post("/shop/buy", async (request, reply) => {
    const { asin, qty } = check(Buy, form(request.body, refuse), refuse);
    const sold = byAsin(ctx.state, asin);
    if (!sold) return sorry(reply, `We could not find ${asin}.`);
    const order: Order = {
      id: ctx.id("114-", 14),
      at: ctx.now().toISOString(),
      shopper: shopperOf(request, reply),
      asin,
      qty,
      price: sold.product.price,
      return_at: null,
    };
    ctx.record({ orders: [order] });
    return reply.redirect(`/shop/orders/${order.id}`, 303);
  });

  app.get<{ Params: { id: string } }>("/shop/orders/:id", async (request, reply) => {
    const order = ctx.state.orders.get(request.params.id);
    const sold = order && byAsin(ctx.state, order.asin);
    if (!order || !sold) return sorry(reply, `We could not find order ${request.params.id}.`);
    return reply.type(HTML).header("cache-control", "no-store").send(thanksPage(sold.product, order));
  });

  app.post("/shop/return", async (request, reply) => {
    const { order: id } = check(Return, form(request.body, refuse), refuse);
    const order = ctx.state.orders.get(id);
    if (!order) return sorry(reply, `We could not find order ${id}.`);
    if (order.return_at === null) ctx.record({ returned: id, at: ctx.now().toISOString() });
    return reply.redirect(`/shop/orders/${id}`, 303);
  });

  app.get<{ Params: { file: string } }>("/shop/img/:file", async (request, reply) => {
    // Like the real image host, any size can be asked for between the name and its ending.
    const asin = /^([A-Z0-9]{10})(?:\._[A-Z0-9_,]+_)?\.(?:svg|png|jpg)$/.exec(request.params.file)?.[1];
    const sold = byAsin(ctx.state, asin ?? "");
    if (!sold) return sorry(reply, `We have no picture ${request.params.file}.`);
    return reply
      .type("image/svg+xml")
      .header("cache-control", "public, max-age=3600")
      .header("cross-origin-resource-policy", "cross-origin")
      .send(productImage(sold.product));
  });
}
