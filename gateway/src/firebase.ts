import { tryLater } from "@tributary/runtime/refusal";
import type { Auth } from "firebase-admin/auth";
import type { VerifyToken } from "./identity-token.ts";

/** What firebase-admin says of a token that is at fault itself; anything else is a failure to judge it. */
const AT_FAULT = new Set([
  "auth/argument-error",
  "auth/id-token-expired",
  "auth/id-token-revoked",
  "auth/invalid-id-token",
  "auth/user-disabled",
  "auth/user-not-found",
]);

/** The SDK calls it an argument error too when it could not fetch the keys to judge a signature by. */
const KEYS_UNREACHABLE = /\berror (while )?(fetching|making)\b/i;

const isAtFault = ({ code, message }: { code?: string; message?: string }): boolean =>
  AT_FAULT.has(code ?? "") && !(code === "auth/argument-error" && KEYS_UNREACHABLE.test(message ?? ""));

/**
 * Verifies tokens with firebase-admin: signature, issuer, audience and time. With FIREBASE_AUTH_EMULATOR_HOST in the environment it
 * believes the emulator's unsigned tokens. Loaded at the first token, for it costs a quarter of a second.
 */
export function firebaseTokens(projectId: string): VerifyToken {
  let loading: Promise<Auth> | null = null;
  const load = async (): Promise<Auth> => {
    const [{ initializeApp }, { getAuth }] = await Promise.all([
      import("firebase-admin/app"),
      import("firebase-admin/auth"),
    ]);
    return getAuth(initializeApp({ projectId }, `gateway:${projectId}`));
  };
  return async (token) => {
    loading ??= load();
    const auth = await loading;
    try {
      const { uid, email, exp } = await auth.verifyIdToken(token);
      return { uid, email: email ?? null, expires: exp };
    } catch (error) {
      if (isAtFault(error as Error)) return null;
      throw Object.assign(
        tryLater("identity_unavailable", "We can't check who you are right now; please try again", 2),
        { cause: error },
      );
    }
  };
}
