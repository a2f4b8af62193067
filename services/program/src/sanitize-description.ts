import sanitize from "sanitize-html";

const ALLOWED: sanitize.IOptions = {
  allowedTags: ["p", "h2", "h3", "ul", "ol", "li", "strong", "b", "em", "i", "br", "a"],
  allowedAttributes: { a: ["href", "rel", "target"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowProtocolRelative: false,
  transformTags: {
    a: sanitize.simpleTransform("a", { rel: "nofollow noopener noreferrer", target: "_blank" }),
  },
};

/** What a brand may say of its program in HTML: text, headings, lists and links. Used when it is written and when it is shown. */
export const sanitizeDescription = (html: string): string => sanitize(html, ALLOWED).trim();

/** Whether anything is left to read once the markup is taken away. */
export const saysSomething = (html: string): boolean =>
  sanitize(html, { allowedTags: [], allowedAttributes: {} }).trim().length >= 2;
