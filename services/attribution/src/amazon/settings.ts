import { settings } from "@tributary/runtime/client";
import { z } from "zod";
import { parseTokenKeys } from "./token-cipher.ts";

/** Where the retailer is reached and as whom. The defaults are the real hosts of the US marketplace. */
export const amazonSettings = settings(
  z.object({
    LWA_CLIENT_ID: z.string().min(1).max(100),
    LWA_CLIENT_SECRET: z.string().min(1),
    AMAZON_CONSENT_URL: z.url().default("https://www.amazon.com/ap/oa"),
    AMAZON_TOKEN_URL: z.url().default("https://api.amazon.com/auth/o2/token"),
    AMAZON_ADS_URL: z.url().default("https://advertising-api.amazon.com"),
    AMAZON_RETAIL_URL: z.url().default("https://www.amazon.com"),
    /** Where browsers reach us; the retailer sends sellers back to /signup/loading there. */
    PUBLIC_URL: z.url(),
    /** 32 bytes in base64; `id:key,id:key` while rotating, the first one seals. */
    TOKEN_KEY: z.string().refine((text) => parseTokenKeys(text) !== null, "must be 32 bytes in base64"),
  }),
);

export type AmazonSettings = ReturnType<(typeof amazonSettings)["schema"]["parse"]>;
