import { createHash } from "node:crypto";
import { escapeHtml } from "../core/mail.ts";
import type { Product } from "./state.ts";

const GLYPHS: Record<string, string> = {
  "Home & Kitchen":
    "M150 170h140v90a60 60 0 0 1-60 60h-20a60 60 0 0 1-60-60zM290 190h20a35 35 0 0 1 0 70h-20",
  Clothing: "M150 150l50-25a30 30 0 0 0 60 0l50 25 25 55-40 15v105H165V220l-40-15z",
  Beauty: "M205 110h50v45h-50zM185 165h90v160h-90z",
  "Sports & Outdoors": "M200 105h60v40h-60zM180 165q0-15 20-15h60q20 0 20 15v150q0 15-15 15h-70q-15 0-15-15z",
  "Toys & Games": "M130 320a100 100 0 0 1 200 0h-35a65 65 0 0 0-130 0zM195 320a35 35 0 0 1 70 0z",
  "Pet Supplies":
    "M230 220c45 0 75 45 60 80s-40 5-60 5-45 30-60-5 15-80 60-80zM165 160a22 30 0 1 0 .1 0zM205 125a22 30 0 1 0 .1 0zM255 125a22 30 0 1 0 .1 0zM295 160a22 30 0 1 0 .1 0z",
  "Office Products": "M160 120h125l25 25v185H160zM190 185h90M190 220h90M190 255h60",
};

/** A picture of a product that needs no network: a shape for its category in colours of its own. */
export function productImage({ asin, title, category }: Product): string {
  const hue = createHash("sha256").update(asin).digest().readUInt16BE(0) % 360;
  const glyph = GLYPHS[category] ?? GLYPHS["Home & Kitchen"];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 460 460" role="img" aria-label="${escapeHtml(title)}">` +
    `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="hsl(${hue} 45% 94%)"/>` +
    `<stop offset="1" stop-color="hsl(${hue} 40% 84%)"/></linearGradient></defs>` +
    `<rect width="460" height="460" fill="url(#g)"/><ellipse cx="230" cy="350" rx="120" ry="14" fill="hsl(${hue} 30% 70%)" opacity=".5"/>` +
    `<path d="${glyph}" fill="hsl(${hue} 40% 48%)" stroke="hsl(${hue} 45% 32%)" stroke-width="8" stroke-linejoin="round" stroke-linecap="round"/></svg>`
  );
}
