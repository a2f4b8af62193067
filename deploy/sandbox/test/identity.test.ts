import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deleteApp, initializeApp } from "firebase/app";
import {
  type Auth,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  deleteUser,
  getAuth,
  reload,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signOut,
  updatePassword,
  updateProfile,
  verifyPasswordResetCode,
} from "firebase/auth";
import { deleteApp as deleteAdminApp, initializeApp as initializeAdmin } from "firebase-admin/app";
import { type Auth as AdminAuth, getAuth as getAdminAuth } from "firebase-admin/auth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROJECT } from "../src/identity/identity.ts";
import { type RunningSandbox, startSandbox } from "../src/sandbox.ts";

let sandbox: RunningSandbox;
let auth: Auth;
let admin: AdminAuth;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ directory: mkdtempSync(join(tmpdir(), "sandbox-")) });
  const app = initializeApp({ apiKey: "sandbox", projectId: PROJECT });
  auth = getAuth(app);
  connectAuthEmulator(auth, sandbox.url, { disableWarnings: true });
  process.env.FIREBASE_AUTH_EMULATOR_HOST = new URL(sandbox.url).host;
  const adminApp = initializeAdmin({ projectId: PROJECT });
  admin = getAdminAuth(adminApp);
  closing.push(
    () => deleteApp(app),
    () => deleteAdminApp(adminApp),
    () => sandbox.close(),
  );
});
afterAll(async () => {
  for (const close of closing) await close();
});

let people = 0;
const someone = () => `person${++people}@example.com`;
const failsWith = (code: string) => expect.objectContaining({ code });

async function lastMail(): Promise<{ to: string; link: string } | undefined> {
  const answer = await fetch(`${sandbox.url}/_sandbox/mail`, { headers: { accept: "application/json" } });
  return (await answer.json()).mails[0];
}

describe("the genuine browser SDK", () => {
  it("signs a person up, refreshes the token and signs in again with the same identity", async () => {
    const email = someone();
    const { user } = await createUserWithEmailAndPassword(auth, email, "secret1");
    expect(user.email).toBe(email);
    await admin.setCustomUserClaims(user.uid, { role: "brand" });
    expect((await user.getIdTokenResult(true)).claims.role).toBe("brand");
    await signOut(auth);
    expect((await signInWithEmailAndPassword(auth, email.toUpperCase(), "secret1")).user.uid).toBe(user.uid);
  });

  it("is told what is wrong in the codes it knows", async () => {
    const email = someone();
    await createUserWithEmailAndPassword(auth, email, "secret1");
    const wrong = [
      [createUserWithEmailAndPassword(auth, email, "secret1"), "auth/email-already-in-use"],
      [createUserWithEmailAndPassword(auth, someone(), "123"), "auth/weak-password"],
      [createUserWithEmailAndPassword(auth, "nonsense", "secret1"), "auth/invalid-email"],
      [signInWithEmailAndPassword(auth, email, "wrong"), "auth/invalid-credential"],
      [signInWithEmailAndPassword(auth, someone(), "secret1"), "auth/invalid-credential"],
    ] as const;
    for (const [act, code] of wrong) await expect(act).rejects.toEqual(failsWith(code));
  });

  it("resets a password by the code in the mailbox, once", async () => {
    const email = someone();
    await createUserWithEmailAndPassword(auth, email, "secret1");
    await sendPasswordResetEmail(auth, email);
    const mail = await lastMail();
    expect(mail?.to).toBe(email);
    const code = new URL(mail!.link, sandbox.url).searchParams.get("oobCode")!;
    expect(await verifyPasswordResetCode(auth, code)).toBe(email);
    await confirmPasswordReset(auth, code, "secret2");
    await expect(confirmPasswordReset(auth, code, "secret3")).rejects.toEqual(
      failsWith("auth/invalid-action-code"),
    );
    await expect(signInWithEmailAndPassword(auth, email, "secret1")).rejects.toEqual(
      failsWith("auth/invalid-credential"),
    );
    expect((await signInWithEmailAndPassword(auth, email, "secret2")).user.emailVerified).toBe(true);
  });

  it("resets a password on the provider's own page behind the link", async () => {
    const email = someone();
    await createUserWithEmailAndPassword(auth, email, "secret1");
    await sendPasswordResetEmail(auth, email);
    const link = new URL((await lastMail())!.link, sandbox.url);
    const page = await fetch(link);
    expect(await page.text()).toContain("New password");
    const saved = await fetch(link.origin + link.pathname, {
      method: "POST",
      body: new URLSearchParams({ oobCode: link.searchParams.get("oobCode")!, newPassword: "secret2" }),
    });
    expect(await saved.text()).toContain("Password changed");
    await signInWithEmailAndPassword(auth, email, "secret2");
  });

  it("does not learn whether an address is known when it asks for a reset", async () => {
    const before = await lastMail();
    await sendPasswordResetEmail(auth, someone());
    expect(await lastMail()).toEqual(before);
    await expect(sendPasswordResetEmail(auth, "nonsense")).rejects.toEqual(failsWith("auth/invalid-email"));
  });

  it("changes the profile and the password, verifies the address and deletes the account", async () => {
    const { user } = await createUserWithEmailAndPassword(auth, someone(), "secret1");
    await updateProfile(user, { displayName: "Ana" });
    await updatePassword(user, "secret2");
    await sendEmailVerification(user);
    await fetch(new URL((await lastMail())!.link, sandbox.url));
    await reload(user);
    expect([user.displayName, user.emailVerified]).toEqual(["Ana", true]);
    await deleteUser(user);
    await expect(admin.getUser(user.uid)).rejects.toEqual(failsWith("auth/user-not-found"));
  });

  it("may call from a page on another port", async () => {
    const answer = await fetch(`${sandbox.url}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k`, {
      method: "OPTIONS",
      headers: { origin: "http://127.0.0.1:5173", "access-control-request-headers": "x-client-version" },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("access-control-allow-origin")).toBe("http://127.0.0.1:5173");
    expect(answer.headers.get("access-control-allow-headers")).toBe("x-client-version");
  });
});

describe("the genuine admin SDK", () => {
  it("verifies a person's token and refuses garbage", async () => {
    const { user } = await createUserWithEmailAndPassword(auth, someone(), "secret1");
    const verified = await admin.verifyIdToken(await user.getIdToken(), true);
    expect(verified).toMatchObject({ uid: user.uid, email: user.email, aud: PROJECT });
    expect(verified.exp - verified.iat).toBe(3600);
    await expect(admin.verifyIdToken("garbage")).rejects.toEqual(failsWith("auth/argument-error"));
  });

  it("disables a person, who can then neither refresh nor sign in", async () => {
    const email = someone();
    const { user } = await createUserWithEmailAndPassword(auth, email, "secret1");
    const token = await user.getIdToken();
    await admin.updateUser(user.uid, { disabled: true });
    await expect(admin.verifyIdToken(token, true)).rejects.toEqual(failsWith("auth/user-disabled"));
    await expect(user.getIdToken(true)).rejects.toEqual(failsWith("auth/user-disabled"));
    await expect(signInWithEmailAndPassword(auth, email, "secret1")).rejects.toEqual(
      failsWith("auth/user-disabled"),
    );
  });

  it("revokes what was issued before", async () => {
    const { user } = await createUserWithEmailAndPassword(auth, someone(), "secret1");
    const token = await user.getIdToken();
    const { uid } = user;
    const answer = await fetch(
      `${sandbox.url}/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:update`,
      {
        method: "POST",
        headers: { authorization: "Bearer owner", "content-type": "application/json" },
        body: JSON.stringify({ localId: uid, validSince: Math.floor(Date.now() / 1000) + 1 }),
      },
    );
    expect(answer.status).toBe(200);
    await expect(admin.verifyIdToken(token, true)).rejects.toEqual(failsWith("auth/id-token-revoked"));
    await expect(user.getIdToken(true)).rejects.toEqual(failsWith("auth/user-token-expired"));
    await admin.revokeRefreshTokens(uid);
  });

  it("creates, finds, lists and deletes people, and makes reset links", async () => {
    const email = someone();
    const { uid } = await admin.createUser({ email, password: "secret1", displayName: "Bo" });
    expect((await admin.getUserByEmail(email)).uid).toBe(uid);
    expect((await admin.listUsers()).users.map((user) => user.uid)).toContain(uid);
    expect(await admin.generatePasswordResetLink(email)).toContain("oobCode=");
    await expect(admin.createUser({ email })).rejects.toEqual(failsWith("auth/email-already-exists"));
    await admin.deleteUser(uid);
    await expect(admin.getUser(uid)).rejects.toEqual(failsWith("auth/user-not-found"));
  });
});

describe("strictness, in Google's own words", () => {
  const client = "/identitytoolkit.googleapis.com/v1/accounts";
  const server = `/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts`;
  const token = "/securetoken.googleapis.com/v1/token";
  const owner = { authorization: "Bearer owner" };

  async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
    const answer = await fetch(sandbox.url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { status: answer.status, error: (await answer.json()).error };
  }
  const invalid = { code: 400, status: "INVALID_ARGUMENT", message: expect.stringMatching(/^Invalid /) };

  it.each([
    [`${client}:signUp?key=k`, { email: "a@b.co", password: "secret1" }],
    [`${client}:signInWithPassword?key=k`, { email: "a@b.co", password: "secret1" }],
    [`${client}:sendOobCode?key=k`, { requestType: "PASSWORD_RESET", email: "a@b.co" }],
    [`${client}:resetPassword?key=k`, { oobCode: "x" }],
    [`${client}:lookup?key=k`, { idToken: "x" }],
    [`${client}:update?key=k`, { idToken: "x" }],
    [`${client}:delete?key=k`, { idToken: "x" }],
    [`${server}:lookup`, { localId: ["x"] }],
    [`${server}:update`, { localId: "x" }],
    [`${server}:delete`, { localId: "x" }],
    [`${server}:query`, { expression: [] }],
    [`${server}:sendOobCode`, { requestType: "PASSWORD_RESET", email: "a@b.co", returnOobLink: true }],
    [server, { email: "a@b.co" }],
  ])("%s refuses an unknown parameter, a wrong type, a wrong header", async (path, good) => {
    const headers: Record<string, string> = path.startsWith(server) ? owner : {};
    const [field] = Object.keys(good);
    expect((await post(path, { ...good, nonsense: 1 }, headers)).error).toMatchObject({
      ...invalid,
      message: 'Invalid JSON payload received. Unknown name "nonsense": Cannot find field.',
    });
    expect((await post(path, { ...good, [field!]: 5 }, headers)).error).toMatchObject(invalid);
    expect((await post(path, "{", headers)).error).toMatchObject(invalid);
    expect((await post(path, good, { ...headers, "content-type": "text/plain" })).error).toMatchObject(
      invalid,
    );
    const query = path.includes("?") ? `${path}&nonsense=1` : `${path}?nonsense=1`;
    expect((await post(query, good, headers)).error).toMatchObject(invalid);
    if (path.startsWith(server))
      expect((await post(path, good, { authorization: "Bearer thief" })).error.status).toBe(
        "UNAUTHENTICATED",
      );
    else expect((await post(path.split("?")[0]!, good)).error.status).toBe("PERMISSION_DENIED");
  });

  it("a token refresh refuses an unknown field, an unknown grant, a wrong media type", async () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect(
      (await post(`${token}?key=k`, "grant_type=refresh_token&refresh_token=x&y=1", form)).error,
    ).toMatchObject(invalid);
    expect((await post(`${token}?key=k`, "grant_type=password&refresh_token=x", form)).error.message).toBe(
      "INVALID_GRANT_TYPE",
    );
    expect(
      (await post(`${token}?key=k`, "grant_type=refresh_token&refresh_token=x", form)).error.message,
    ).toBe("INVALID_REFRESH_TOKEN");
    expect((await post(`${token}?key=k`, {})).error).toMatchObject(invalid);
  });

  it("an admin of another project is told that there is none", async () => {
    const elsewhere = server.replace(PROJECT, "elsewhere");
    expect((await post(`${elsewhere}:lookup`, { localId: ["x"] }, owner)).error.message).toBe(
      "PROJECT_NOT_FOUND",
    );
  });
});
