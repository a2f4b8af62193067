import { join } from "node:path";
import { firebaseTokens } from "@tributary/gateway/firebase";
import { buildGateway } from "@tributary/gateway/gateway";
import { foldedCallers } from "@tributary/gateway/known-callers";
import type { ServiceName, Upstream } from "@tributary/gateway/upstream";
import type { Logger } from "@tributary/runtime/logs";
import type { Mounted } from "@tributary/runtime/mount";
import { services } from "./services.ts";
import { checkoutRoot } from "./state/checkout.ts";
import { version } from "./version.ts";

/** What a gateway of this checkout's own system is opened with. */
export interface Opening {
  readonly upstreams: Readonly<Record<string, Upstream>>;
  /** What is mounted in the gateway's own process; its own read models are among them. */
  readonly own: readonly Mounted[];
  readonly url: string;
  readonly sandboxUrl: string;
  readonly secret: (name: string) => string;
  readonly env: Readonly<Record<string, string>>;
  readonly log: Logger;
}

/** The gateway, alike for one process and for eight: only where the services answer differs. */
export function openGateway({
  upstreams,
  own,
  url,
  sandboxUrl,
  secret,
  env,
  log,
}: Opening): ReturnType<typeof buildGateway> {
  const remembering = own.find(({ name }) => name === "gateway");
  if (!remembering) throw new Error("the gateway's own read models are not mounted in this process");
  return buildGateway({
    upstreams: upstreams as Readonly<Record<ServiceName, Upstream>>,
    keys: Object.fromEntries(services.map(({ name }) => [name, secret(`internal ${name}`)])) as Record<
      ServiceName,
      string
    >,
    verifyToken: firebaseTokens(env.FIREBASE_PROJECT_ID!),
    callers: foldedCallers((of) => remembering.documents(of)),
    publicUrl: url,
    webRoot: join(checkoutRoot(), "web/dist"),
    version: version(),
    log,
    sandboxUrl,
    quiet: () => Promise.all(own.map((one) => one.quiet())),
  });
}
