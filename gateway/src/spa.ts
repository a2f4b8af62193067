import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerNotFound } from "./errors.ts";

/** Pages the single-page application has; a page it doesn't have shows its not-found screen, with the status to match. */
const PAGES: readonly string[] = ["/"];

/** What machines ask for: never answered with a page. */
const NO_PAGE = /^\/(api|public|internal|assets|r)(\/|$)/;

const A_YEAR_MS = 365 * 86_400_000;

const patterns = PAGES.map(
  (page) => new RegExp(`^${page.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+")}$`),
);

/** Whether the application has a page at this path. */
export const isPage = (path: string): boolean => patterns.some((pattern) => pattern.test(path));

/** Serves the built files under /assets: their names carry their hash, so they never change and are kept for a year. */
export function serveAssets(app: FastifyInstance, webRoot: string): void {
  app.register(fastifyStatic, {
    root: join(webRoot, "assets"),
    prefix: "/assets/",
    decorateReply: false,
    index: false,
    dotfiles: "ignore",
    preCompressed: true,
    immutable: true,
    maxAge: A_YEAR_MS,
  });
}

/** Answers an address nobody else answers: people get the application, with 404 unless it has such a page, machines get JSON. */
export function pageAnswerer(webRoot: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const path = request.url.split("?", 1)[0]!;
    const reads = request.method === "GET" || request.method === "HEAD";
    const asked = isPage(path) || request.headers.accept?.includes("text/html");
    if (!reads || NO_PAGE.test(path) || !asked) return answerNotFound(request, reply);
    const page = await readFile(join(webRoot, "index.html"));
    return reply
      .code(isPage(path) ? 200 : 404)
      .header("cache-control", "no-cache")
      .type("text/html; charset=utf-8")
      .send(page);
  };
}
