import { service } from "@tributary/runtime/service";
import { answerPartnership } from "./commands/answer-partnership.ts";
import { applyToProgram } from "./commands/apply-to-program.ts";
import { createProgram } from "./commands/create-program.ts";
import { editProgram } from "./commands/edit-program.ts";
import { referCreator } from "./commands/refer-creator.ts";
import { setCreatorProducts } from "./commands/set-creator-products.ts";
import { setProgramProducts } from "./commands/set-program-products.ts";
import { setReferralSettings } from "./commands/set-referral-settings.ts";
import { days } from "./day.ts";
import { catalogDays } from "./facts/catalog-days.ts";
import { creatorStanding } from "./facts/creator-standing.ts";
import { productFees } from "./facts/product-fees.ts";
import { grantNewProducts } from "./reactions/grant-new-products.ts";
import { brands } from "./read-models/brands.ts";
import { creatorProducts } from "./read-models/creator-products.ts";
import { creators } from "./read-models/creators.ts";
import { pages } from "./read-models/pages.ts";
import { partnerships } from "./read-models/partnerships.ts";
import { products } from "./read-models/products.ts";
import { programs } from "./read-models/programs.ts";
import { referralSettings } from "./read-models/referral-settings.ts";
import { listPartnerships } from "./routes/list-partnerships.ts";

/** Brands' programs, who works with whom, on which products and at which private fees, and who referred whom. */
export const program = service({
  name: "program",
  commands: [
    createProgram,
    editProgram,
    setProgramProducts,
    applyToProgram,
    answerPartnership,
    setCreatorProducts,
    setReferralSettings,
    referCreator,
  ],
  readModels: [programs, pages, brands, products, creators, partnerships, creatorProducts, referralSettings],
  facts: [productFees, catalogDays, creatorStanding],
  reactions: [grantNewProducts],
  jobs: [days.job],
  beforeServing: [days.begin],
  routes: [listPartnerships],
});
