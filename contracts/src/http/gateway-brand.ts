import type { z } from "zod";
import { SellerConnection } from "./attribution.ts";
import { OwnBrand } from "./identity.ts";

/** GET /api/brands/me: the brand, whether its seller account is connected, and the profiles of that account. */
export const BrandMe = OwnBrand.extend(SellerConnection.omit({ id: true }).shape);
export type BrandMe = z.infer<typeof BrandMe>;
