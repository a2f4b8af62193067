import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { firstPaint } from "./vite/first-paint.ts";
import { precompressed } from "./vite/precompressed.ts";

/** The gateway serves `dist`: index.html for every page, and hashed files under /assets that never change. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), firstPaint(), precompressed()],
  build: {
    // Inlined files would be data: addresses, which the content security policy of the gateway forbids.
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": "http://localhost:3000" } },
});
