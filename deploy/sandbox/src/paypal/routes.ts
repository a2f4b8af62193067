import type { FastifyInstance, FastifyReply } from "fastify";
import type { Context } from "../core/partner.ts";
import { PartnerError } from "../core/strict.ts";
import { admit, checkHeaders, grantToken } from "./access.ts";
import { type Address, addresses } from "./addresses.ts";
import { certificateOf } from "./certificate.ts";
import { errorBody, PayPalError } from "./errors.ts";
import { checkQuery, nothing } from "./query.ts";
import type { Change, State } from "./state.ts";
import { Work } from "./work.ts";

/** Serves PayPal's addresses with its token, its headers, its errors. */
export function routes(app: FastifyInstance, ctx: Context<State, Change>): void {
  async function answering(reply: FastifyReply, act: () => unknown): Promise<unknown> {
    const debugId = ctx.id("", 13).toLowerCase();
    reply.header("paypal-debug-id", debugId);
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof PayPalError)) throw error;
      throw new PartnerError(error.status, errorBody(error.code, debugId, error.details));
    }
  }

  function serve({ method, path, query, status, act }: Address): void {
    app.route<{ Params: { id?: string } }>({
      method,
      url: `/paypal${path}`,
      handler: (request, reply) =>
        answering(reply, async () => {
          admit(request, ctx.state, ctx.now());
          checkHeaders(request);
          const read = checkQuery(query, request.query) as never;
          const work = new Work(ctx);
          const done = await act({
            work,
            ctx,
            app,
            id: request.params.id ?? "",
            body: request.body,
            query: read,
          });
          work.commit();
          return reply.code(status).send(done);
        }),
    });
  }

  for (const address of addresses) serve(address);

  app.post("/paypal/v1/oauth2/token", (request, reply) =>
    answering(reply, () => {
      checkQuery(nothing, request.query);
      const work = new Work(ctx);
      const token = grantToken(request, work, ctx.state);
      work.commit();
      return token;
    }),
  );

  app.get<{ Params: { id: string } }>("/paypal/certs/:id", async ({ params }, reply) => {
    const certificate = await certificateOf(ctx);
    if (params.id !== `${certificate.id}.pem`)
      throw new PartnerError(404, "no such certificate", { "content-type": "text/plain" });
    return reply.type("application/x-pem-file").send(certificate.certificate);
  });

  // Events that were on their way to a webhook when it was deleted end here, unheard.
  app.post("/paypal/deleted-webhook", async () => ({}));
}
