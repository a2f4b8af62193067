import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { HtmlTagDescriptor, Plugin } from "vite";

const themeScript = "src/look/theme-before-paint.js";

/**
 * Puts into index.html what must be there before the first paint: the theme, as a blocking script file of its own
 * (an inline one would need a hole in `script-src 'self'`), the one font, and the code of the page most people land on.
 */
export function firstPaint(): Plugin {
  let root = "";
  let base = "/";
  let building = false;
  return {
    name: "tributary-first-paint",
    configResolved(config) {
      root = config.root;
      base = config.base;
      building = config.command === "build";
    },
    buildStart() {
      if (!building) return;
      this.emitFile({
        type: "asset",
        name: "theme-before-paint.js",
        source: readFileSync(join(root, themeScript), "utf8"),
      });
    },
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        if (bundle === undefined) return [script(`/${themeScript}`)];
        const files = Object.values(bundle);
        const theme = files.find(
          (file) => file.type === "asset" && file.names.includes("theme-before-paint.js"),
        );
        const font = files.find(({ fileName }) => fileName.endsWith(".woff2"));
        const home = files.find(
          (file) => file.type === "chunk" && file.facadeModuleId?.endsWith("pages/home.tsx"),
        );
        if (!theme || !font || !home)
          throw new Error("first paint: the build lacks the theme script, the font or the home page");
        return [
          script(base + theme.fileName),
          link({
            rel: "preload",
            as: "font",
            type: "font/woff2",
            href: base + font.fileName,
            crossorigin: true,
          }),
          link({ rel: "modulepreload", href: base + home.fileName, crossorigin: true }),
        ];
      },
    },
  };
}

const script = (src: string): HtmlTagDescriptor => ({
  tag: "script",
  attrs: { src },
  injectTo: "head-prepend",
});
const link = (attrs: HtmlTagDescriptor["attrs"]): HtmlTagDescriptor => ({
  tag: "link",
  attrs,
  injectTo: "head",
});
