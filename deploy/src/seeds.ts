import { Person, Unexpected } from "./driver/person.ts";

/** Log-ins that a fresh local system comes with; nothing here is a secret, for it only ever listens on this machine. */
export const SEEDED = {
  brand: { email: "brand@tributary.example", password: "tributary" },
  creator: { email: "creator@tributary.example", password: "tributary" },
  admin: { email: "admin@tributary.example", password: "tributary" },
} as const;

/** Makes the seeded log-ins through the API, as people would; those that exist stay as they are. `grant` makes one an admin. */
export async function seedLogins(url: string, grant: (uid: string) => Promise<void>): Promise<void> {
  const brand = new Person(url, SEEDED.brand.email, SEEDED.brand.password);
  const creator = new Person(url, SEEDED.creator.email, SEEDED.creator.password);
  const admin = new Person(url, SEEDED.admin.email, SEEDED.admin.password);
  await Promise.all([brand.signUp(), creator.signUp(), admin.signUp()]);

  const account = async (person: Person, user_type: "brand" | "creator"): Promise<string> => {
    const { id } = await person.post<{ id: string }>("/api/users", {
      email: person.email,
      firebase_uid: person.uid,
      user_type,
    });
    return id;
  };
  const brandUser = await account(brand, "brand");
  await brand.post("/api/brands", {
    user_id: brandUser,
    brand_name: "Northfold Outdoors",
    website: "https://northfold.example",
    product_category: "Sports & Outdoors",
  });
  const creatorUser = await account(creator, "creator");
  await creator.post("/api/creators", {
    user_id: creatorUser,
    name: "Ana Rivers",
    product_categories: ["Sports & Outdoors"],
    approved: false,
    fromAffiliateProgramBrand: null,
  });
  await account(admin, "brand");
  await grant(admin.uid);
  await approve(admin, await creator.get<{ id: string }>("/api/creators/me"));
}

async function approve(admin: Person, { id }: { id: string }): Promise<void> {
  try {
    await admin.post(`/api/admin/creators/${id}/approve`);
  } catch (error) {
    if (!(error instanceof Unexpected && error.status === 409)) throw error;
  }
}
