import { service } from "@tributary/runtime/service";
import { editProduct } from "./commands/edit-product.ts";
import { days } from "./day.ts";
import { listProduct } from "./reactions/list-product.ts";
import { commissionHistory } from "./read-models/commission-history.ts";
import { products } from "./read-models/products.ts";

/** Products as the retailer reports them, and the percent each pays. */
export const catalog = service({
  name: "catalog",
  commands: [editProduct],
  readModels: [products, commissionHistory],
  reactions: [listProduct],
  jobs: [days.job],
  beforeServing: [days.begin],
});
