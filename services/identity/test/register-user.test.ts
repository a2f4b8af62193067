import { UserDisabled } from "@tributary/contracts/events/identity";
import { userId } from "@tributary/contracts/ids";
import { as, given } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { identity } from "../src/main.ts";
import { user } from "../src/user.ts";

const ana = as.signedIn("uid-ana", "ana@example.com");
const account = { email: "ana@example.com", firebase_uid: "uid-ana", user_type: "creator" };

test("somebody who signed in takes the account of their own uid and e-mail, once", async () => {
  const app = await given(identity);
  const first = await app.as(ana).post("/api/users", account);
  expect(first).toMatchObject({
    status: 201,
    body: { id: userId("uid-ana"), email: "ana@example.com", role: "user", user_type: "creator" },
  });
  expect(await app.as(ana).post("/api/users", { ...account, email: "ANA@example.com" })).toMatchObject({
    status: 201,
    body: first.body,
  });
  expect((await app.events()).map(({ type, stream }) => [type, stream])).toEqual([
    ["UserRegistered", `user/${userId("uid-ana")}`],
  ]);
});

test("nobody registers somebody else, by uid or by e-mail", async () => {
  const app = await given(identity);
  const refused = { status: 403, body: { code: "not_your_account" } };
  expect(await app.as(ana).post("/api/users", { ...account, firebase_uid: "uid-bo" })).toMatchObject(refused);
  expect(await app.as(ana).post("/api/users", { ...account, email: "bo@example.com" })).toMatchObject(
    refused,
  );
  expect(await app.as(as.signedIn("uid-ana")).post("/api/users", account)).toMatchObject(refused);
  expect(await app.as(null).post("/api/users", account)).toMatchObject({ status: 401 });
  expect(await app.events()).toEqual([]);
});

test("an account stays what it is: a creator never becomes a brand, and nobody asks for a role", async () => {
  const app = await given(identity);
  await app.as(ana).post("/api/users", account);
  expect(await app.as(ana).post("/api/users", { ...account, user_type: "brand" })).toMatchObject({
    status: 409,
    body: { code: "already_registered" },
  });
  expect(await app.as(ana).post("/api/users", { ...account, role: "admin" })).toMatchObject({
    status: 400,
    body: { errors: [{ field: "role" }] },
  });
});

test("a disabled account cannot be taken again", async () => {
  const app = await given(identity);
  await app.as(ana).post("/api/users", account);
  await app.happened(
    user.at(userId("uid-ana")),
    UserDisabled({ user_id: userId("uid-ana"), reason: "fraud" }),
  );
  expect(await app.as(ana).post("/api/users", account)).toMatchObject({
    status: 403,
    body: { message: "User account has been disabled" },
  });
});

test("an e-mail address that is none is refused in the words of the form", async () => {
  const app = await given(identity);
  expect(await app.as(ana).post("/api/users", { ...account, email: "ana" })).toMatchObject({
    status: 400,
    body: { errors: [{ field: "email", message: "Please enter a valid email" }] },
  });
});

test("of eight requests at once one makes the account, and all answer it", async () => {
  const app = await given(identity);
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.as(ana).post("/api/users", account)));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect(await app.events()).toHaveLength(1);
});
