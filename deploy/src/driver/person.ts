/** An answer that was not what the story needs: method, path, status and body in one sentence. */
export class Unexpected extends Error {
  constructor(
    readonly status: number,
    what: string,
    body: string,
  ) {
    super(`${what}: ${status} ${body}`);
    this.name = "Unexpected";
  }
}

interface SignedIn {
  readonly idToken: string;
  readonly localId: string;
}

type Json = Record<string, unknown>;

const RECENT_MS = 60_000;
const TOKEN_LIFE_MS = 50 * 60_000;

/**
 * Somebody at a browser: signs up or in with the identity provider, calls the product's API with the token, and remembers what
 * it did, so that its next request sees it. Knows nothing but HTTP.
 */
export class Person {
  readonly url: string;
  readonly email: string;
  readonly #password: string;
  #token: string | null = null;
  #signedInAt = 0;
  #uid: string | null = null;
  readonly #done = new Map<string, { readonly sequence: number; readonly at: number }>();

  constructor(url: string, email: string, password: string) {
    this.url = url;
    this.email = email;
    this.#password = password;
  }

  get uid(): string {
    if (!this.#uid) throw new Error(`${this.email} has not signed in`);
    return this.#uid;
  }

  /** Makes an account with the identity provider; false when there is one already, into which it then signs in. */
  async signUp(): Promise<boolean> {
    const made = await this.#identity("accounts:signUp");
    if (made) this.#remember(made);
    else await this.signIn();
    return made !== null;
  }

  async signIn(): Promise<void> {
    const known = await this.#identity("accounts:signInWithPassword");
    if (!known) throw new Error(`${this.email} can't sign in`);
    this.#remember(known);
  }

  #remember({ idToken, localId }: SignedIn): void {
    this.#token = idToken;
    this.#uid = localId;
    this.#signedInAt = performance.now();
  }

  async #identity(act: string): Promise<SignedIn | null> {
    const answer = await fetch(`${this.url}/identitytoolkit.googleapis.com/v1/${act}?key=local`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: this.email, password: this.#password, returnSecureToken: true }),
    });
    const body = await answer.text();
    if (answer.ok) return JSON.parse(body);
    if (body.includes("EMAIL_EXISTS") || body.includes("INVALID_LOGIN_CREDENTIALS")) return null;
    throw new Unexpected(answer.status, `identity ${act}`, body);
  }

  get = <T = Json>(path: string): Promise<T> => this.ask<T>("GET", path);
  post = <T = Json>(path: string, body: unknown = {}): Promise<T> => this.ask<T>("POST", path, body);
  put = <T = Json>(path: string, body: unknown): Promise<T> => this.ask<T>("PUT", path, body);
  patch = <T = Json>(path: string, body: unknown): Promise<T> => this.ask<T>("PATCH", path, body);

  /** Calls the API; throws Unexpected for anything but success. A 503 that says when is asked again, as a browser would. */
  async ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    if (this.#token && performance.now() - this.#signedInAt > TOKEN_LIFE_MS) await this.signIn();
    for (let tries = 1; ; tries++) {
      const answer = await fetch(`${this.url}${path}`, {
        method,
        redirect: "manual",
        headers: {
          ...(this.#token ? { authorization: `Bearer ${this.#token}` } : {}),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...this.#after(),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      this.#note(answer.headers.get("x-position"));
      if (answer.ok) return (text ? JSON.parse(text) : null) as T;
      const wait = Number(answer.headers.get("retry-after"));
      if (answer.status !== 503 || !wait || tries === 10)
        throw new Unexpected(answer.status, `${method} ${path} as ${this.email}`, text);
      await new Promise((resolve) => setTimeout(resolve, Math.min(wait, 2) * 250));
    }
  }

  #note(position: string | null): void {
    for (const part of position?.split(";") ?? []) {
      const [log, places] = part.split("=");
      for (const place of places?.split(",") ?? []) {
        const [partition, sequence] = place.split(":").map(Number);
        const key = `${log}:${partition}`;
        if (sequence! >= (this.#done.get(key)?.sequence ?? 0))
          this.#done.set(key, { sequence: sequence!, at: performance.now() });
      }
    }
  }

  #after(): Record<string, string> {
    const byLog = new Map<string, string[]>();
    for (const [key, { sequence, at }] of this.#done) {
      if (performance.now() - at > RECENT_MS) this.#done.delete(key);
      else {
        const [log, partition] = key.split(":") as [string, string];
        byLog.set(log, [...(byLog.get(log) ?? []), `${partition}:${sequence}`]);
      }
    }
    if (byLog.size === 0) return {};
    return { "x-after": [...byLog].map(([log, places]) => `${log}=${places.join(",")}`).join(";") };
  }
}
