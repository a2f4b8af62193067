import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { check } from "../core/strict.ts";
import { type Account, accountByEmail, userInfo } from "./accounts.ts";
import { changeAccount, createAccount } from "./change-account.ts";
import { badQuery, body, refuse, requireOwner } from "./errors.ts";
import { newCode } from "./oob-codes.ts";
import type { IdentityContext } from "./tokens.ts";

const list = z.array(z.string()).optional();

const Lookup = z.strictObject({ localId: list, email: list, phoneNumber: list, initialEmail: list });
const profile = {
  email: z.string().optional(),
  password: z.string().optional(),
  displayName: z.string().optional(),
  photoUrl: z.string().optional(),
  emailVerified: z.boolean().optional(),
  customAttributes: z.string().optional(),
};
const Create = z.strictObject({
  ...profile,
  localId: z.string().optional(),
  disabled: z.boolean().optional(),
});
const Update = z.strictObject({
  ...profile,
  localId: z.string(),
  disableUser: z.boolean().optional(),
  validSince: z.coerce.number().int().optional(),
  deleteAttribute: list,
  deleteProvider: list,
});
const Query = z.strictObject({
  returnUserInfo: z.boolean().optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
  offset: z.coerce.number().int().min(0).optional(),
  sortBy: z.string().optional(),
  order: z.enum(["ASC", "DESC"]).optional(),
  expression: z
    .array(z.strictObject({ email: z.string().optional(), userId: z.string().optional() }))
    .optional(),
});
const SendCode = z.strictObject({
  requestType: z.enum(["PASSWORD_RESET", "VERIFY_EMAIL"]),
  email: z.string(),
  returnOobLink: z.literal(true),
  continueUrl: z.url().optional(),
});
const NoQuery = z.strictObject({});
const Page = z.strictObject({
  maxResults: z.coerce.number().int().min(1).max(1000).optional(),
  nextPageToken: z.string().optional(),
});

/** What the admin SDK asks, with the emulator's bearer and the project in the path. */
export function adminRoutes(app: FastifyInstance, ctx: IdentityContext, project: string): void {
  const accounts = "/identitytoolkit.googleapis.com/v1/projects/:project/accounts";

  function guard<T>(request: FastifyRequest, query: z.ZodType<T>): T {
    requireOwner(request);
    if ((request.params as { project: string }).project !== project) throw refuse("PROJECT_NOT_FOUND");
    return check(query, request.query, badQuery);
  }

  function existing(uid: string): Account {
    const account = ctx.state.accounts.get(uid);
    if (!account) throw refuse("USER_NOT_FOUND");
    return account;
  }

  app.post(`${accounts}::lookup`, async (request) => {
    guard(request, NoQuery);
    const { localId = [], email = [] } = body(Lookup, request);
    const found = new Set([
      ...localId.map((uid) => ctx.state.accounts.get(uid)),
      ...email.map((address) => accountByEmail(ctx.state, address)),
    ]);
    const users = [...found].filter((account) => account !== undefined).map(userInfo);
    return { kind: "identitytoolkit#GetAccountInfoResponse", ...(users.length > 0 && { users }) };
  });

  app.post(accounts, async (request) => {
    guard(request, NoQuery);
    const { uid, email } = createAccount(ctx, body(Create, request));
    return { kind: "identitytoolkit#SignupNewUserResponse", localId: uid, ...(email && { email }) };
  });

  app.post(`${accounts}::update`, async (request) => {
    guard(request, NoQuery);
    const { localId, ...wanted } = body(Update, request);
    const account = changeAccount(ctx, existing(localId), wanted);
    return { kind: "identitytoolkit#SetAccountInfoResponse", ...userInfo(account) };
  });

  app.post(`${accounts}::delete`, async (request) => {
    guard(request, NoQuery);
    const { localId } = body(z.strictObject({ localId: z.string() }), request);
    ctx.record({ deleted: existing(localId).uid });
    return { kind: "identitytoolkit#DeleteAccountResponse" };
  });

  app.post(`${accounts}::query`, async (request) => {
    guard(request, NoQuery);
    const {
      expression = [],
      returnUserInfo = true,
      limit = 500,
      offset = 0,
      order = "ASC",
    } = body(Query, request);
    const hits = [...ctx.state.accounts.values()]
      .filter(
        ({ uid, email }) =>
          expression.length === 0 ||
          expression.some((e) => (e.userId ?? uid) === uid && (e.email?.toLowerCase() ?? email) === email),
      )
      .sort((a, b) => (a.uid < b.uid ? -1 : 1) * (order === "ASC" ? 1 : -1));
    const userPage = hits.slice(offset, offset + limit).map(userInfo);
    return { recordsCount: String(hits.length), ...(returnUserInfo && { userInfo: userPage }) };
  });

  app.post(`${accounts}::sendOobCode`, async (request) => {
    guard(request, NoQuery);
    const { requestType, email, continueUrl } = body(SendCode, request);
    if (!accountByEmail(ctx.state, email)) throw refuse("EMAIL_NOT_FOUND");
    const { code, link } = newCode(ctx, requestType, email.toLowerCase(), continueUrl);
    return {
      kind: "identitytoolkit#GetOobConfirmationCodeResponse",
      email,
      oobCode: code,
      oobLink: ctx.origin() + link,
    };
  });

  app.get(`${accounts}::batchGet`, async (request) => {
    const { maxResults = 1000, nextPageToken } = guard(request, Page);
    const users = [...ctx.state.accounts.values()].sort((a, b) => (a.uid < b.uid ? -1 : 1));
    const rest = nextPageToken === undefined ? users : users.filter(({ uid }) => uid > nextPageToken);
    const page = rest.slice(0, maxResults);
    return {
      kind: "identitytoolkit#DownloadAccountResponse",
      users: page.map(userInfo),
      ...(rest.length > page.length && { nextPageToken: page.at(-1)!.uid }),
    };
  });
}
