import { userId } from "@tributary/contracts/ids";
import { as, given } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { grantAdmin } from "../src/grant-admin.ts";
import { identity } from "../src/main.ts";
import { person } from "./people.ts";

const grant = async (app: Awaited<ReturnType<typeof given>>, uid: string) => {
  const { reads, decide } = grantAdmin(uid);
  await app.mounted.acting("operator").act(reads, decide);
};

test("somebody signed in without an account is neither brand nor creator", async () => {
  const app = await given(identity);
  expect((await app.as(as.signedIn("uid-new")).get("/api/user-type")).body).toEqual({
    isBrand: false,
    isCreator: false,
    isCreatorApproved: false,
    role: "user",
    userId: null,
    brandId: null,
    brandName: null,
    amazonConnected: false,
    creatorId: null,
    creatorName: null,
    creatorApproval: null,
  });
});

test("a creator learns who she is as soon as she is somebody", async () => {
  const app = await given(identity);
  const ana = person("ana", "creator");
  await ana.registered(app);
  await app.settled();
  expect((await app.as(ana.signedUp).get("/api/user-type")).body).toMatchObject({
    isCreator: true,
    creatorId: null,
  });
  await app
    .as(ana.signedUp)
    .post("/api/creators", { user_id: ana.user_id, name: "Ana", product_categories: ["Baby"] });
  expect((await app.as(ana.caller).get("/api/user-type")).body).toMatchObject({
    isBrand: false,
    isCreator: true,
    isCreatorApproved: false,
    userId: ana.user_id,
    creatorId: ana.caller.creator_id,
    creatorName: "Ana",
    creatorApproval: "pending",
  });
});

test("the gateway is told whom a uid belongs to", async () => {
  const app = await given(identity);
  const acme = person("acme", "brand");
  await acme.registered(app);
  await app.as(acme.signedUp).post("/api/brands", {
    user_id: acme.user_id,
    brand_name: "Acme",
    website: "acme.example",
    product_category: "Baby",
  });
  expect((await app.as(null).get("/internal/callers/uid-acme")).body).toEqual({
    uid: "uid-acme",
    email: "acme@example.com",
    user_id: acme.user_id,
    user_type: "brand",
    role: "user",
    brand_id: acme.caller.brand_id,
    creator_id: null,
    approved: false,
    disabled: false,
  });
  expect(await app.as(null).get("/internal/callers/uid-nobody")).toMatchObject({ status: 404 });
});

test("the operator's command makes an account an admin once; an unknown account is an error", async () => {
  const app = await given(identity);
  const root = person("root", "creator");
  await root.registered(app);
  await grant(app, "uid-root");
  await grant(app, "uid-root");
  expect(await app.events()).toMatchObject([
    { type: "RoleSet", data: { user_id: userId("uid-root"), role: "admin" } },
  ]);
  await expect(grant(app, "uid-nobody")).rejects.toThrow("Account uid-nobody not found");
  expect((await app.as(root.signedUp).get("/api/user-type")).body).toMatchObject({ role: "admin" });
});

test("an admin makes others admins, but never takes the own role away; nobody else gives roles", async () => {
  const app = await given(identity);
  const root = person("root", "creator");
  const ana = person("ana", "creator");
  await root.registered(app);
  await ana.registered(app);
  await grant(app, "uid-root");
  const admin = app.as({ ...root.signedUp, role: "admin" });
  expect(
    await app.as(ana.signedUp).post(`/api/admin/users/${ana.user_id}/role`, { role: "admin" }),
  ).toMatchObject({ status: 403 });
  expect(await admin.post(`/api/admin/users/${ana.user_id}/role`, { role: "admin" })).toMatchObject({
    status: 200,
    body: { id: ana.user_id, role: "admin" },
  });
  expect(await admin.post(`/api/admin/users/${root.user_id}/role`, { role: "user" })).toMatchObject({
    status: 409,
    body: { code: "own_role" },
  });
});
