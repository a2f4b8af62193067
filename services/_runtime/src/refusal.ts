/** One field of the input that doesn't fit, and why, in words for the person who sent it. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The business says no. Anything else that is thrown is a defect: 500, one sentence, the truth in the log. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly errors?: readonly FieldError[],
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = "Refusal";
  }
}

/** 404: it doesn't exist, or it is somebody else's; the two look alike on purpose. */
export const notFound = (what: string): Refusal => new Refusal(404, "not_found", `${what} not found`);
/** 409: what is asked for contradicts what has already happened. */
export const conflict = (code: string, message: string): Refusal => new Refusal(409, code, message);
/** 403: the caller is known and may not do this. */
export const forbidden = (code: string, message: string): Refusal => new Refusal(403, code, message);
/** 422: the fields are well formed, and yet the act is not possible with them. */
export const unprocessable = (code: string, message: string, errors?: readonly FieldError[]): Refusal =>
  new Refusal(422, code, message, errors);
/** 503: not yet; the caller may ask again after so many seconds. */
export const tryLater = (code: string, message: string, seconds: number): Refusal =>
  new Refusal(503, code, message, undefined, seconds);
