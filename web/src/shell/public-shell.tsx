import { Outlet, ScrollRestoration } from "react-router-dom";
import { en } from "../copy/en.ts";
import { Arrival } from "./arrival.tsx";
import { Footer } from "./footer.tsx";
import { PublicNav } from "./public-nav.tsx";

/** The frame of the public pages: skip link, bar, the page itself, foot. */
export function PublicShell() {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="absolute -top-24 left-3 z-(--z-toast) rounded-control bg-overlay px-3.5 py-2.5 text-river underline shadow-menu focus:top-3"
      >
        {en.skip}
      </a>
      <PublicNav />
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col">
        <Outlet />
      </main>
      <Footer year={new Date().getFullYear()} />
      <Arrival />
      <ScrollRestoration />
    </div>
  );
}
