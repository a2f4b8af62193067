import type { Network } from "@tributary/runtime/ports/network";
import { Refusal } from "@tributary/runtime/refusal";
import type { FastifyInstance } from "fastify";

/** The services the gateway asks. */
export const SERVICES = [
  "identity",
  "catalog",
  "program",
  "attribution",
  "earnings",
  "billing",
  "landing",
] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Where a service answers: mounted in this process, or at an address on the cluster. */
export type Upstream =
  | { readonly kind: "mounted"; readonly app: FastifyInstance }
  | { readonly kind: "remote"; readonly url: string };

export type Upstreams = Readonly<Record<ServiceName, Upstream>>;

/** What a service said when the gateway itself asked it. */
export interface Said {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** 502: the part that would answer can't be reached. */
export const unreachable = (service: string): Refusal =>
  new Refusal(502, "upstream_unreachable", `${service} does not answer right now; please try again`);

const json = (text: string, service: string): unknown => {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${service} answered the gateway with something that is no JSON`, { cause: error });
  }
};

/** Asks a service a question of the gateway's own, alike in one process and over the network. Throws 502 when nobody answers. */
export async function ask(
  service: string,
  upstream: Upstream,
  network: Network,
  path: string,
  headers: Record<string, string>,
): Promise<Said> {
  if (upstream.kind === "mounted") {
    const {
      statusCode,
      body,
      headers: said,
    } = await upstream.app.inject({ method: "GET", url: path, headers });
    return { status: statusCode, body: json(body, service), headers: said as Said["headers"] };
  }
  let answer: Response;
  let text: string;
  try {
    answer = await network(new URL(path, upstream.url).href, { headers, redirect: "error" });
    text = await answer.text();
  } catch (error) {
    throw Object.assign(unreachable(service), { cause: error });
  }
  return { status: answer.status, body: json(text, service), headers: Object.fromEntries(answer.headers) };
}
