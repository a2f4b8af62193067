import { SellerConnection } from "@tributary/contracts/http/attribution";
import type { BrandMe } from "@tributary/contracts/http/gateway-brand";
import { OwnBrand } from "@tributary/contracts/http/identity";
import { notFound, Refusal } from "@tributary/runtime/refusal";
import type { Said, ServiceName } from "./upstream.ts";

function said(service: ServiceName, { status, body }: Said): unknown {
  if (status === 200) return body;
  const { code, message } = (body ?? {}) as { code?: string; message?: string };
  throw new Refusal(status, code ?? "internal", message ?? `${service} could not answer`);
}

/**
 * A brand as it sees itself: identity's word on the brand, attribution's on the seller connection, which alone says whether it is
 * connected. A brand that never connected has no connection to show.
 */
export async function brandMe(
  ask: (service: ServiceName, path: string) => Promise<Said>,
  brandId: string | null,
): Promise<BrandMe> {
  if (brandId === null) throw notFound("Brand");
  const [brand, connection] = await Promise.all([
    ask("identity", `/internal/brands/${brandId}`),
    ask("attribution", `/internal/seller/${brandId}`),
  ]);
  const own = OwnBrand.parse(said("identity", brand));
  if (connection.status === 404)
    return { ...own, amazon_connected: false, profile_id: null, disconnected_because: null, profiles: [] };
  const { id: _, ...seller } = SellerConnection.parse(said("attribution", connection));
  return { ...own, ...seller };
}
