/** What an answer must look like: any schema of the contracts. */
type Contract<Answer> = { parse(answer: unknown): Answer };

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A call the product refused or failed: its text is the status code, a colon, then the body text or the status text. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(`${status}: ${text}`);
    this.name = "ApiError";
    this.status = status;
  }
}

/**
 * Calls the product's API and answers what the contract of that route says, parsed by the contract's own schema.
 * Anything but an OK answer throws an ApiError; an answer that breaks the contract throws the schema's error.
 */
export async function api<Answer>(
  contract: Contract<Answer>,
  route: `${Method} /${string}`,
  { body, signal }: { body?: unknown; signal?: AbortSignal } = {},
): Promise<Answer> {
  const [method, path] = route.split(" ") as [Method, string];
  const response = await fetch(path, {
    method,
    credentials: "include",
    headers: {
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal,
  });
  if (!response.ok) throw new ApiError(response.status, (await response.text()) || response.statusText);
  return contract.parse(await response.json());
}
