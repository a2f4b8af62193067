import { z } from "zod";

/** The main categories a brand or a creator chooses from. */
export const PRODUCT_CATEGORIES = [
  "Arts & Crafts",
  "Automotive",
  "Baby",
  "Beauty & Personal Care",
  "Books",
  "Computers & Electronics",
  "Fashion",
  "Health & Household",
  "Home & Kitchen",
  "Industrial & Scientific",
  "Musical Instruments",
  "Office Products",
  "Pet Supplies",
  "Sports & Outdoors",
  "Tools & Home Improvement",
  "Toys & Games",
] as const;

/** Where a creator has a channel. */
export const PLATFORMS = ["TikTok", "YouTube", "Instagram", "Facebook", "Blog/Website", "Other"] as const;

/** Audience sizes as they are offered, with the upper bound that is kept, in followers. */
export const REACH_RANGES = [
  { label: "0 - 1K", total_reach: 1_000 },
  { label: "1K - 10K", total_reach: 10_000 },
  { label: "10K - 100K", total_reach: 100_000 },
  { label: "100K - 500K", total_reach: 500_000 },
  { label: "500K - 1M", total_reach: 1_000_000 },
  { label: "1M - 10M", total_reach: 10_000_000 },
  { label: "10M+", total_reach: 100_000_000 },
] as const;

/** The bound kept for a range; a range nobody offers counts as 0. */
export const reachOf = (label: string): number =>
  REACH_RANGES.find((range) => range.label === label)?.total_reach ?? 0;

const long = (max: number) => `Please use at most ${max} characters`;

/** A web address as people type it: https:// is put before one that lacks it. */
export const webAddress = (message: string) =>
  z
    .string(message)
    .trim()
    .transform((typed) => (/^https?:\/\//i.test(typed) ? typed : `https://${typed}`))
    .pipe(z.url({ protocol: /^https?$/, error: message }).max(2000, long(2000)));

export const email = z
  .string("Please enter a valid email")
  .trim()
  .pipe(z.email("Please enter a valid email"));
export const password = z
  .string("Password must be at least 6 characters")
  .min(6, "Password must be at least 6 characters");
const terms = z.literal(true, "You must accept the terms and conditions");

export const brandName = z
  .string("Brand name is required")
  .trim()
  .min(2, "Brand name is required")
  .max(200, long(200));
export const website = webAddress("Please enter a valid URL");
export const productCategory = z
  .string("Please select a product category")
  .trim()
  .min(1, "Please select a product category")
  .max(100, long(100));
export const creatorName = z.string("Name is required").trim().min(2, "Name is required").max(200, long(200));
export const productCategories = z
  .array(productCategory, "Please select at least one product category")
  .min(1, "Please select at least one product category")
  .max(PRODUCT_CATEGORIES.length * 2, "Please select fewer product categories");
export const channel = z
  .string("Channel name is required")
  .trim()
  .min(1, "Channel name is required")
  .max(100, long(100));

/** Form of /signup/brand. */
export const BrandSignUp = z.object({
  brandName,
  email,
  password,
  website,
  productCategory,
  termsAccepted: terms,
});

/** Form of /signup/creator. */
export const CreatorSignUp = z.object({
  name: creatorName,
  email,
  password,
  productCategories,
  termsAccepted: terms,
});

/** Form of /signup/creator/links. */
export const CreatorLinks = z.object({
  links: z
    .array(z.object({ channel, url: website }), "Please add at least one social media link")
    .min(1, "Please add at least one social media link"),
  totalReach: z
    .string("Please select your total audience reach")
    .min(1, "Please select your total audience reach"),
});

/** Form of /login. */
export const Login = z.object({
  email,
  password: z.string("Password is required").min(1, "Password is required"),
});

/** Form of /forgot-password. */
export const ForgotPassword = z.object({ email });

export const UserType = z.enum(["brand", "creator"]);
export const UserRole = z.enum(["user", "admin"]);

/** POST /api/users. The uid and e-mail kept are the verified token's; the body's must be the same. */
export const RegisterUser = z.object({ email, firebase_uid: z.string().min(1), user_type: UserType });
export const User = z.object({
  id: z.string(),
  email: z.string(),
  firebase_uid: z.string(),
  user_type: UserType,
  role: UserRole,
});
export type User = z.infer<typeof User>;

/** POST /api/brands. */
export const RegisterBrand = z.object({
  user_id: z.string().min(1),
  brand_name: brandName,
  website,
  product_category: productCategory,
});
export const Brand = z.object({
  id: z.string(),
  user_id: z.string(),
  brand_name: z.string(),
  website: z.string(),
  product_category: z.string(),
  logo_url: z.string().nullable(),
});
export type Brand = z.infer<typeof Brand>;

/** A brand with its connection, as GET /api/brands/me shows it beside the seller profiles. */
export const OwnBrand = Brand.extend({ amazon_connected: z.boolean() });
export type OwnBrand = z.infer<typeof OwnBrand>;

/** GET /public/api/brands/{id}. */
export const PublicBrand = z.object({
  id: z.string(),
  name: z.string(),
  website: z.string(),
  product_category: z.string(),
  logo_url: z.string().nullable(),
});
export type PublicBrand = z.infer<typeof PublicBrand>;

/** PATCH /api/brands/{id}/logo. */
export const SetBrandLogo = z.object({ id: z.string(), logo_url: webAddress("Please enter a valid URL") });

/** POST /api/creators. `approved` is read by nobody: the server decides by the program the creator came from. */
export const RegisterCreator = z.object({
  user_id: z.string().min(1),
  name: creatorName,
  product_categories: productCategories,
  approved: z.boolean().nullish(),
  fromAffiliateProgramBrand: z.string().nullish(),
});

/** POST /api/creator-channels, once per row of the form. */
export const AddCreatorChannel = z.object({
  creator_id: z.string().min(1),
  channel,
  channel_link: website,
});
export const CreatorChannel = z.object({
  id: z.string(),
  creator_id: z.string(),
  channel: z.string(),
  channel_link: z.string(),
});
export type CreatorChannel = z.infer<typeof CreatorChannel>;

/** PATCH /api/creators/{id}: the upper bound of the range chosen, in followers. */
export const SetCreatorReach = z.object({
  id: z.string(),
  total_reach: z
    .int("Please select your total audience reach")
    .min(0, "Please select your total audience reach")
    .max(1_000_000_000, "Please select your total audience reach"),
});

export const Approval = z.enum(["pending", "approved", "rejected"]);
export const Creator = z.object({
  id: z.string(),
  user_id: z.string(),
  name: z.string(),
  product_categories: z.array(z.string()),
  total_reach: z.int().nullable(),
  profile_image_url: z.string().nullable(),
  approved: z.boolean(),
  approval: Approval,
  rejection_reason: z.string().nullable(),
  channels: z.array(CreatorChannel),
});
export type Creator = z.infer<typeof Creator>;

/** A creator as brands see them: no account, no money, no other brand. */
export const PublicCreator = Creator.pick({
  id: true,
  name: true,
  product_categories: true,
  total_reach: true,
  profile_image_url: true,
  channels: true,
});
export type PublicCreator = z.infer<typeof PublicCreator>;

/** GET /api/admin/creators. `approved` is the narrower question of older links. */
export const AdminCreatorsQuery = z.object({
  approval: Approval.optional(),
  approved: z.enum(["true", "false"]).optional(),
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
});
export const AdminCreator = Creator.extend({ email: z.string().nullable(), registered_at: z.string() });
export const AdminCreators = z.object({ items: z.array(AdminCreator), next: z.string().nullable() });

export const ApproveCreator = z.object({ id: z.string() });
export const RejectCreator = z.object({
  id: z.string(),
  reason: z.string("A reason is required").trim().min(1, "A reason is required").max(1000, long(1000)),
});

/** POST /api/admin/users/{id}/role. */
export const SetUserRole = z.object({ id: z.string(), role: UserRole });

/** GET /api/user-type: who is signed in, and how far they are. Somebody without an account is neither. */
export const UserTypeAnswer = z.object({
  isBrand: z.boolean(),
  isCreator: z.boolean(),
  isCreatorApproved: z.boolean(),
  role: UserRole,
  userId: z.string().nullable(),
  brandId: z.string().nullable(),
  brandName: z.string().nullable(),
  amazonConnected: z.boolean(),
  creatorId: z.string().nullable(),
  creatorName: z.string().nullable(),
  creatorApproval: Approval.nullable(),
});
export type UserTypeAnswer = z.infer<typeof UserTypeAnswer>;
