import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { check, form, mediaType, PartnerError } from "../core/strict.ts";
import { accountByEmail, passwordHash, userInfo } from "./accounts.ts";
import { changeAccount, createAccount, validEmail } from "./change-account.ts";
import { badPayload, body, googleBody, refuse, requireKey } from "./errors.ts";
import { goodCode, mailCode } from "./oob-codes.ts";
import { bearer, type IdentityContext, refresh, signIn } from "./tokens.ts";

const sdk = {
  clientType: z.string().optional(),
  captchaResponse: z.string().optional(),
  recaptchaVersion: z.string().optional(),
  tenantId: z.string().optional(),
  returnSecureToken: z.boolean().optional(),
};

const SignUp = z.strictObject({
  ...sdk,
  email: z.string().optional(),
  password: z.string().optional(),
  displayName: z.string().optional(),
});
const SignIn = z.strictObject({ ...sdk, email: z.string().optional(), password: z.string().optional() });
const SendCode = z.strictObject({
  ...sdk,
  requestType: z.enum(["PASSWORD_RESET", "VERIFY_EMAIL"]),
  email: z.string().optional(),
  idToken: z.string().optional(),
  continueUrl: z.url().optional(),
  canHandleCodeInApp: z.boolean().optional(),
});
const ResetPassword = z.strictObject({
  oobCode: z.string(),
  newPassword: z.string().optional(),
  tenantId: z.string().optional(),
});
const Lookup = z.strictObject({ idToken: z.string(), tenantId: z.string().optional() });
const Update = z.strictObject({
  ...sdk,
  idToken: z.string().optional(),
  oobCode: z.string().optional(),
  email: z.string().optional(),
  password: z.string().optional(),
  displayName: z.string().nullable().optional(),
  photoUrl: z.string().nullable().optional(),
  deleteAttribute: z.array(z.string()).optional(),
});
const Delete = z.strictObject({ idToken: z.string() });
const Refresh = z.strictObject({ grant_type: z.literal("refresh_token"), refresh_token: z.string().min(1) });

/** What the browser's SDK asks, with an API key in the query. */
export function clientRoutes(app: FastifyInstance, ctx: IdentityContext, project: string): void {
  const accounts = "/identitytoolkit.googleapis.com/v1/accounts";

  app.post(`${accounts}::signUp`, async (request) => {
    requireKey(request);
    const { email, password, displayName } = body(SignUp, request);
    if (email === undefined) throw refuse(password === undefined ? "ADMIN_ONLY_OPERATION" : "MISSING_EMAIL");
    if (password === undefined) throw refuse("MISSING_PASSWORD");
    const account = createAccount(ctx, { email, password, displayName });
    return {
      kind: "identitytoolkit#SignupNewUserResponse",
      localId: account.uid,
      email: account.email,
      ...signIn(ctx, account, project),
    };
  });

  app.post(`${accounts}::signInWithPassword`, async (request) => {
    requireKey(request);
    const { email, password } = body(SignIn, request);
    if (email === undefined) throw refuse("MISSING_EMAIL");
    if (!password) throw refuse("MISSING_PASSWORD");
    const account = accountByEmail(ctx.state, validEmail(email));
    if (!account || account.password_hash !== passwordHash(account.uid, password))
      throw refuse("INVALID_LOGIN_CREDENTIALS");
    if (account.disabled) throw refuse("USER_DISABLED");
    return {
      kind: "identitytoolkit#VerifyPasswordResponse",
      localId: account.uid,
      email: account.email,
      displayName: account.display_name ?? "",
      registered: true,
      ...signIn(ctx, account, project),
    };
  });

  app.post(`${accounts}::sendOobCode`, async (request) => {
    requireKey(request);
    const wanted = body(SendCode, request);
    if (wanted.requestType === "VERIFY_EMAIL") {
      const { email } = bearer(ctx, wanted.idToken ?? "", project);
      if (email) mailCode(ctx, "VERIFY_EMAIL", email, wanted.continueUrl);
      return { kind: "identitytoolkit#GetOobConfirmationCodeResponse", email };
    }
    if (wanted.email === undefined) throw refuse("MISSING_EMAIL");
    const email = validEmail(wanted.email);
    // Enumeration protection: an unknown address gets the same answer, and no mail.
    if (accountByEmail(ctx.state, email)) mailCode(ctx, "PASSWORD_RESET", email, wanted.continueUrl);
    return { kind: "identitytoolkit#GetOobConfirmationCodeResponse", email };
  });

  app.post(`${accounts}::resetPassword`, async (request) => {
    requireKey(request);
    const { oobCode, newPassword } = body(ResetPassword, request);
    const { email, type } = goodCode(ctx, oobCode);
    if (newPassword !== undefined) {
      goodCode(ctx, oobCode, "PASSWORD_RESET");
      const account = accountByEmail(ctx.state, email);
      if (!account) throw refuse("USER_NOT_FOUND");
      changeAccount(ctx, account, { password: newPassword, emailVerified: true });
      ctx.record({ used: oobCode });
    }
    return { kind: "identitytoolkit#ResetPasswordResponse", email, requestType: type };
  });

  app.post(`${accounts}::lookup`, async (request) => {
    requireKey(request);
    const { idToken } = body(Lookup, request);
    return {
      kind: "identitytoolkit#GetAccountInfoResponse",
      users: [userInfo(bearer(ctx, idToken, project))],
    };
  });

  app.post(`${accounts}::update`, async (request) => {
    requireKey(request);
    const { idToken, oobCode, email, password, displayName, photoUrl, deleteAttribute, returnSecureToken } =
      body(Update, request);
    if (oobCode !== undefined) {
      const code = goodCode(ctx, oobCode, "VERIFY_EMAIL");
      const verified = accountByEmail(ctx.state, code.email);
      if (!verified) throw refuse("USER_NOT_FOUND");
      changeAccount(ctx, verified, { emailVerified: true });
      ctx.record({ used: oobCode });
      return { kind: "identitytoolkit#SetAccountInfoResponse", ...userInfo(verified) };
    }
    if (idToken === undefined) throw refuse("MISSING_ID_TOKEN");
    const account = bearer(ctx, idToken, project);
    if (email !== undefined && email.toLowerCase() !== account.email)
      throw refuse("OPERATION_NOT_ALLOWED : Please verify the new email before changing email.");
    changeAccount(ctx, account, {
      password,
      displayName: displayName ?? undefined,
      photoUrl: photoUrl ?? undefined,
      deleteAttribute,
    });
    return {
      kind: "identitytoolkit#SetAccountInfoResponse",
      ...userInfo(account),
      ...(returnSecureToken && signIn(ctx, account, project)),
    };
  });

  app.post(`${accounts}::delete`, async (request) => {
    requireKey(request);
    const { idToken } = body(Delete, request);
    ctx.record({ deleted: bearer(ctx, idToken, project).uid });
    return { kind: "identitytoolkit#DeleteAccountResponse" };
  });

  app.post("/securetoken.googleapis.com/v1/token", async (request) => {
    requireKey(request);
    if (mediaType(request.headers["content-type"]) !== "application/x-www-form-urlencoded")
      throw new PartnerError(
        400,
        googleBody(
          400,
          "Invalid Content-Type: expected application/x-www-form-urlencoded.",
          "INVALID_ARGUMENT",
        ),
      );
    const fields = form(request.body, badPayload);
    if (fields.grant_type === undefined) throw refuse("MISSING_GRANT_TYPE");
    if (fields.grant_type !== "refresh_token") throw refuse("INVALID_GRANT_TYPE");
    if (fields.refresh_token === undefined) throw refuse("MISSING_REFRESH_TOKEN");
    return refresh(ctx, check(Refresh, fields, badPayload).refresh_token, project);
  });
}
