import { LinkCreated } from "@tributary/contracts/events/attribution";
import { NewLink } from "@tributary/contracts/http/attribution";
import { command } from "@tributary/runtime/command";
import { conflict, forbidden, notFound, tryLater } from "@tributary/runtime/refusal";
import { grantKey, grants } from "../facts/grants.ts";
import { partnerships } from "../facts/partnerships.ts";
import { products } from "../facts/products.ts";
import { link } from "../link.ts";
import { campaignId, creativeId, productPage, taggedUrl } from "../link-url.ts";
import { NO_TOTALS, showLink } from "../read-models/links.ts";
import { type Seller, seller, type Tag } from "../seller.ts";

/** "Display - Other": where links that a person shares are counted. */
const CREATOR_PUBLISHER = "9";

const creatorTag = ({ advertisers, tags }: Seller): Tag | undefined =>
  tags.static?.find(
    ({ publisher_id, advertiser_id }) =>
      publisher_id === CREATOR_PUBLISHER &&
      (advertisers.length === 0 || advertisers.some((one) => one.advertiser_id === advertiser_id)),
  );

/** A partner makes a link to a product they were granted; its id is also the ad group the retailer reports it under. */
export const createLink = command({
  route: "POST /api/links",
  access: { as: "approved-creator" },
  input: NewLink,
  stream: link,
  id: (_, __, drawing) => drawing.code(10),
  reads: ({ product_id }, { creator_id }) => ({
    product: products.at(product_id),
    grant: grants.at(grantKey(creator_id!, product_id)),
    partners: partnerships.at(creator_id!),
  }),
  andThen: (_, __, ___, { product }) => ({ sellers: product ? [seller.at(product.brand_id)] : [] }),

  decide: (input, state, { product, grant, partners, sellers: [of] }, { caller, key: link_id }) => {
    const { product_id, brand_id, link_name } = input;
    if (!product || !of || (brand_id !== undefined && brand_id !== product.brand_id))
      throw notFound("Product");
    const partnership = partners?.brands[product.brand_id];
    if (!partnership?.active) throw forbidden("not_a_partner", "You are not a partner of this brand");
    if (!grant) throw forbidden("product_not_granted", "This brand has not opened this product to you");
    if (!of.connected || !of.profile_id)
      throw conflict("brand_disconnected", "This brand's Amazon account is not connected at the moment");
    const tag = creatorTag(of);
    if (!tag) throw tryLater("tag_not_ready", "Your Amazon tag is being prepared", 5);
    if (state.status === "made") throw tryLater("link_id_taken", "Please try again", 1);

    const { profile_id } = of;
    const page = productPage(product.asin);
    const ids = {
      aa_campaignid: campaignId(product.brand_id, profile_id),
      aa_adgroupid: link_id,
      aa_creativeid: creativeId(link_id, page),
    };
    return [
      LinkCreated({
        link_id,
        link_name: link_name ?? product.title.slice(0, 255),
        brand_id: product.brand_id,
        creator_id: caller!.creator_id!,
        partnership_id: grant.partnership_id,
        product_id,
        creator_product_id: grant.creator_product_id,
        asin: product.asin,
        profile_id,
        advertiser_id: tag.advertiser_id,
        publisher_id: tag.publisher_id,
        ...ids,
        url: taggedUrl(page, tag.aa_tag, ids),
      }),
    ];
  },

  reply: (state) => (state.status === "made" ? showLink(state, NO_TOTALS) : null),
  status: 201,
});
