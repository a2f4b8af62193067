/** The only way out: partner clients call it instead of the global fetch, so that tests and replays can count every call. */
export type Network = (url: string, init?: RequestInit) => Promise<Response>;

/** The real network. A call that gets no answer in time is aborted, for a hanging partner must not hold a lease. */
export const realNetwork: Network = (url, init) =>
  fetch(url, { signal: AbortSignal.timeout(20_000), ...init });
