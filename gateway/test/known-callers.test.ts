import type { EventType, Heard } from "@tributary/contracts/event";
import {
  BrandRegistered,
  CreatorApproved,
  CreatorRegistered,
  CreatorRejected,
  RoleSet,
  UserDisabled,
  UserRegistered,
} from "@tributary/contracts/events/identity";
import { brandId, creatorId, userId } from "@tributary/contracts/ids";
import type { Documents } from "@tributary/runtime/read-models/documents";
import type { ReadModel } from "@tributary/runtime/read-models/read-model";
import { expect, test } from "vitest";
import { foldedCallers } from "../src/known-callers.ts";
import { gateway } from "../src/main.ts";

/** Folds events in the order they come, as a read model's worker would. */
function heard(...events: [EventType<string, never>, unknown][]) {
  const folded = new Map<string, Map<string, unknown>>();
  for (const model of gateway.readModels) {
    const documents = new Map<string, unknown>();
    for (const [{ type }, data] of events) {
      const fold = model.on.find((one) => one.event.type === type)?.fold;
      if (!fold) continue;
      const event = { type, data } as Heard;
      const id = model.key(event) as string;
      documents.set(id, fold((documents.get(id) ?? null) as never, event as never));
    }
    folded.set(model.name, documents);
  }
  return foldedCallers(<T>(of: ReadModel<T>) => {
    const get = async (id: string) => (folded.get(of.name)?.get(id) ?? null) as T | null;
    return { get } as unknown as Documents<T>;
  });
}
const of = (event: unknown, data: unknown): [EventType<string, never>, unknown] => [event as never, data];

const user_id = userId("cleo");
const creator_id = creatorId(user_id);
const registered = of(UserRegistered, {
  user_id,
  firebase_uid: "cleo",
  email: "cleo@example.com",
  user_type: "creator",
});
const creator = of(CreatorRegistered, { creator_id, user_id, name: "Cleo", approved: false });

test("a creator is known with approval, by what identity said last", async () => {
  const cleo = {
    uid: "cleo",
    user_id,
    user_type: "creator",
    role: "user",
    brand_id: null,
    creator_id,
    approved: false,
    disabled: false,
  };
  expect(await heard(registered, creator)("cleo")).toEqual(cleo);
  const approved = of(CreatorApproved, { creator_id, by: "admin" });
  expect(await heard(creator, approved, registered)("cleo")).toEqual({ ...cleo, approved: true });
  const rejected = of(CreatorRejected, { creator_id, by: "admin", reason: "no" });
  expect(await heard(registered, creator, approved, rejected)("cleo")).toEqual(cleo);
});

test("a brand's admin who was disabled is known as all that", async () => {
  const user = userId("ana");
  const known = heard(
    of(UserRegistered, { user_id: user, firebase_uid: "ana", email: "a@b.c", user_type: "brand" }),
    of(BrandRegistered, { brand_id: brandId(user), user_id: user, brand_name: "Ana" }),
    of(RoleSet, { user_id: user, role: "admin" }),
    of(UserDisabled, { user_id: user, reason: "fraud" }),
  );
  expect(await known("ana")).toMatchObject({ role: "admin", disabled: true, brand_id: brandId(user) });
});

test("who signed up and has not said as what yet is not known, so that identity is asked", async () => {
  expect(await heard(registered)("cleo")).toBeNull();
  expect(await heard(creator)("cleo")).toBeNull();
  expect(await heard()("cleo")).toBeNull();
});

test("the gateway keeps nobody's address", () => {
  for (const model of gateway.readModels) expect(Object.keys(model.schema.shape)).not.toContain("email");
});
