import { service } from "@tributary/runtime/service";

/** Landing pages, their e-mail captures and the blog. */
export const landing = service({ name: "landing" });
