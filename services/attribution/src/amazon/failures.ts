/** The seller's grant no longer stands (`invalid_grant`): the brand must connect again. */
export class GrantLost extends Error {
  override readonly name = "GrantLost";
}

/** The retailer said no for a reason that asking again won't change. */
export class AmazonRefused extends Error {
  override readonly name = "AmazonRefused";
  constructor(
    readonly status: number,
    readonly code: string,
    readonly details: string,
    readonly request_id: string | null,
  ) {
    super(`Amazon answered ${status} ${code}: ${details} (request ${request_id ?? "unnamed"})`);
  }
}

/** The retailer is down, overloaded, or refuses our own credentials: nothing is known, ask again later. */
export class AmazonUnavailable extends Error {
  override readonly name = "AmazonUnavailable";
  constructor(
    what: string,
    readonly retry_after_seconds: number,
    options?: ErrorOptions,
  ) {
    super(`Amazon is unavailable: ${what}`, options);
  }
}
