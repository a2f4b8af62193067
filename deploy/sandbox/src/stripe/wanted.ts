import type { Event, WebhookEndpoint } from "./objects.ts";

/** Whether anybody wants to hear of an event; as long as none was registered here, the sandbox's own settings decide. */
export function isWanted(event: Event, endpoints: WebhookEndpoint[]): boolean {
  const here = endpoints.filter(
    ({ application }) => (application !== null) === (event.account !== undefined),
  );
  const matches = (name: string) => name === "*" || name === event.type;
  return (
    here.length === 0 || here.some((one) => one.status === "enabled" && one.enabled_events.some(matches))
  );
}
