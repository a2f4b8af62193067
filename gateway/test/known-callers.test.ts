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
import { given } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { foldedCallers } from "../src/known-callers.ts";
import { gateway } from "../src/main.ts";

async function remembering() {
  const app = await given(gateway);
  const known = foldedCallers((of) => app.documents(of));
  return { app, known };
}

const user_id = userId("cleo");
const creator_id = creatorId(user_id);
const registered = UserRegistered({
  user_id,
  firebase_uid: "cleo",
  email: "cleo@example.com",
  user_type: "creator",
});
const creator = CreatorRegistered({
  creator_id,
  user_id,
  name: "Cleo",
  product_categories: ["Baby"],
  approved: false,
  from_program_brand_id: null,
});
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

test("a creator is known with approval, by what identity said last, whichever of both streams came first", async () => {
  const { app, known } = await remembering();
  await app.hear(`creator/${creator_id}`, creator, CreatorApproved({ creator_id, by: "admin" }));
  await app.settled();
  expect(await known("cleo")).toBeNull();
  await app.hear(`user/${user_id}`, registered);
  await app.settled();
  expect(await known("cleo")).toEqual({ ...cleo, approved: true });
  await app.hear(`creator/${creator_id}`, CreatorRejected({ creator_id, by: "admin", reason: "no" }));
  await app.settled();
  expect(await known("cleo")).toEqual(cleo);
});

test("a brand's admin who was disabled is known as all that", async () => {
  const { app, known } = await remembering();
  const user = userId("ana");
  const brand_id = brandId(user);
  await app.hear(
    `user/${user}`,
    UserRegistered({ user_id: user, firebase_uid: "ana", email: "ana@example.com", user_type: "brand" }),
    RoleSet({ user_id: user, role: "admin" }),
    UserDisabled({ user_id: user, reason: "fraud" }),
  );
  await app.hear(
    `brand/${brand_id}`,
    BrandRegistered({
      brand_id,
      user_id: user,
      brand_name: "Anaconda",
      website: "https://ana.example",
      product_category: "Baby",
    }),
  );
  await app.settled();
  expect(await known("ana")).toMatchObject({ role: "admin", disabled: true, brand_id, creator_id: null });
});

test("who signed up and has not said as what is not known yet, so that identity is asked", async () => {
  const { app, known } = await remembering();
  await app.hear(`user/${user_id}`, registered);
  await app.settled();
  expect(await known("cleo")).toBeNull();
});

test("the gateway keeps nobody's address", () => {
  for (const model of gateway.readModels) expect(Object.keys(model.schema.shape)).not.toContain("email");
});
