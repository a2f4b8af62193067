import { type Day, day } from "@tributary/contracts/dates";
import {
  ReportPulled,
  SellerConnected,
  SellerDisconnected,
  SyncCompleted,
} from "@tributary/contracts/events/attribution";
import type { SellerConnection } from "@tributary/contracts/http/attribution";
import { readModel, show } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const PulledDays = z.object({
  perf_min: day.nullable(),
  perf_max: day.nullable(),
  prod_min: day.nullable(),
  prod_max: day.nullable(),
});
type PulledDays = z.infer<typeof PulledDays>;
const nothingPulled: PulledDays = { perf_min: null, perf_max: null, prod_min: null, prod_max: null };

const SellerDocument = z.object({
  brand_id: z.string(),
  connected: z.boolean(),
  reason: SellerDisconnected.schema.shape.reason.nullable(),
  profile_id: z.string().nullable(),
  profiles: SellerConnected.schema.shape.profiles,
  /** Which days were pulled, by profile. */
  pulled: z.record(z.string(), PulledDays),
  last_pull: z.object({ at: z.string(), rows: z.int(), changed: z.int() }).nullable(),
  completed: z.object({ through: day, outcome: SyncCompleted.schema.shape.outcome }).nullable(),
});
export type SellerDocument = z.infer<typeof SellerDocument>;

/** A brand that was never connected. */
export const blankSeller = (brand_id: string): SellerDocument => ({
  brand_id,
  connected: false,
  reason: null,
  profile_id: null,
  profiles: [],
  pulled: {},
  last_pull: null,
  completed: null,
});

const earlier = (known: Day | null, other: Day): Day => (known !== null && known < other ? known : other);
const later = (known: Day | null, other: Day): Day => (known !== null && known > other ? known : other);

/** Every brand that was ever connected, and how far its reports have been read. */
export const sellers = readModel("sellers", SellerDocument, {
  on: [
    when(SellerConnected, (seller, { data: { brand_id, profile_id, profiles } }) => ({
      ...(seller ?? blankSeller(brand_id)),
      connected: true,
      reason: null,
      profile_id,
      profiles,
    })),
    when(SellerDisconnected, (seller, { data: { brand_id, reason } }) => ({
      ...(seller ?? blankSeller(brand_id)),
      connected: false,
      reason,
    })),
    when(ReportPulled, (seller, { data, time }) => {
      const known = seller ?? blankSeller(data.brand_id);
      const days = known.pulled[data.profile_id] ?? nothingPulled;
      const more: PulledDays =
        data.report === "performance"
          ? {
              ...days,
              perf_min: earlier(days.perf_min, data.from),
              perf_max: later(days.perf_max, data.through),
            }
          : {
              ...days,
              prod_min: earlier(days.prod_min, data.from),
              prod_max: later(days.prod_max, data.through),
            };
      return {
        ...known,
        pulled: { ...known.pulled, [data.profile_id]: more },
        last_pull: { at: time, rows: data.rows, changed: data.changed },
      };
    }),
    when(SyncCompleted, (seller, { data: { brand_id, through, outcome } }) => ({
      ...(seller ?? blankSeller(brand_id)),
      completed: { through, outcome },
    })),
  ],
  key: ({ data }) => data.brand_id,
  routes: {
    "GET /internal/seller/:brand_id": show<SellerDocument>()({
      access: { as: "brand", owns: "brand_id" },
      input: z.object({ brand_id: z.string() }),
      answer: async (documents, { brand_id }) =>
        showSeller((await documents.get(brand_id)) ?? blankSeller(brand_id)),
    }),
  },
});

/** The brand as far as the retailer is concerned. */
export const showSeller = (seller: SellerDocument): SellerConnection => ({
  id: seller.brand_id,
  amazon_connected: seller.connected,
  profile_id: seller.profile_id,
  disconnected_because: seller.reason,
  profiles: seller.profiles.map((profile) => {
    const days = seller.pulled[profile.profile_id] ?? nothingPulled;
    return {
      ...profile,
      last_sync_attrib_perf_min_date: days.perf_min,
      last_sync_attrib_perf_max_date: days.perf_max,
      last_sync_attrib_prod_min_date: days.prod_min,
      last_sync_attrib_prod_max_date: days.prod_max,
    };
  }),
});
