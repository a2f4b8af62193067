import type { RouteObject } from "react-router-dom";
import { Failed } from "./pages/failed.tsx";
import { PublicShell } from "./shell/public-shell.tsx";

/** Every page of the product, each with code of its own that is fetched when somebody goes there. */
export const routes: RouteObject[] = [
  {
    Component: PublicShell,
    ErrorBoundary: Failed,
    HydrateFallback: () => null,
    children: [
      { path: "/", lazy: () => import("./pages/home.tsx") },
      { path: "*", lazy: () => import("./pages/not-found.tsx") },
    ],
  },
];
