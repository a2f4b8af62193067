import { CreatorRegistered } from "@tributary/contracts/events/identity";
import { creatorId } from "@tributary/contracts/ids";
import { as, given } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { creator } from "../src/creator.ts";
import { identity } from "../src/main.ts";
import { person } from "./people.ts";

/** Creators who wait, in the order of their registration. */
async function waiting(...names: string[]) {
  const app = await given(identity);
  for (const name of names) {
    const { user_id, registered } = person(name, "creator");
    await registered(app);
    await app.happened(
      creator.at(creatorId(user_id)),
      CreatorRegistered({
        creator_id: creatorId(user_id),
        user_id,
        name,
        product_categories: ["Baby"],
        approved: false,
        from_program_brand_id: null,
      }),
    );
  }
  const idOf = (name: string) => person(name, "creator").caller.creator_id!;
  return { app, idOf };
}

test("an operator approves a creator; of two operators the second is told", async () => {
  const { app, idOf } = await waiting("ana");
  const path = `/api/admin/creators/${idOf("ana")}/approve`;
  expect(await app.as(as.admin("root")).post(path)).toMatchObject({
    status: 200,
    body: { approved: true, approval: "approved" },
  });
  expect(await app.as(as.admin("root")).post(path)).toMatchObject({ status: 200, body: { approved: true } });
  expect(await app.as(as.admin("other")).post(path)).toMatchObject({
    status: 409,
    body: { code: "already_approved" },
  });
  expect(await app.events()).toMatchObject([{ type: "CreatorApproved", data: { by: "root" } }]);
});

test("a creator who is turned away reads why, and may be let in later; one who is in stays in", async () => {
  const { app, idOf } = await waiting("ana");
  const admin = app.as(as.admin());
  const path = `/api/admin/creators/${idOf("ana")}`;
  expect(await admin.post(`${path}/reject`, { reason: " " })).toMatchObject({ status: 400 });
  await admin.post(`${path}/reject`, { reason: "no channels" });
  expect((await app.as(person("ana", "creator").caller).get("/api/creators/me")).body).toMatchObject({
    approval: "rejected",
    rejection_reason: "no channels",
  });
  expect(await admin.post(`${path}/approve`)).toMatchObject({ body: { approval: "approved" } });
  expect(await admin.post(`${path}/reject`, { reason: "changed my mind" })).toMatchObject({ status: 409 });
});

test("the queue shows who waits, with e-mail, longest waiting first, page by page", async () => {
  const { app, idOf } = await waiting("ana", "bo", "cy");
  const admin = app.as(as.admin());
  await admin.post(`/api/admin/creators/${idOf("bo")}/approve`);
  const first = (await admin.get("/api/admin/creators?approval=pending&limit=1")).body;
  expect(first.items).toHaveLength(1);
  const second = (await admin.get(`/api/admin/creators?approval=pending&limit=1&after=${first.next}`)).body;
  expect(
    [...first.items, ...second.items].map(({ name, email }: Record<string, string>) => [name, email]).sort(),
  ).toEqual([
    ["ana", "ana@example.com"],
    ["cy", "cy@example.com"],
  ]);
  expect((await admin.get("/api/admin/creators?approved=true")).body.items).toMatchObject([{ name: "bo" }]);
  expect((await admin.get("/api/admin/creators")).body.items).toHaveLength(3);
});

test("only operators approve, reject or see the queue", async () => {
  const { app, idOf } = await waiting("ana");
  const ana = app.as(person("ana", "creator").caller);
  expect(await ana.post(`/api/admin/creators/${idOf("ana")}/approve`)).toMatchObject({ status: 403 });
  expect(await ana.get("/api/admin/creators")).toMatchObject({ status: 403 });
  expect(await app.events()).toEqual([]);
});
