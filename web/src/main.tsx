import "./look/styles.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router-dom";
import { followTheme } from "./look/theme.ts";
import { createQueryClient } from "./query-client.ts";
import { routes } from "./routes.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root to draw the page in");

followTheme();

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={createBrowserRouter(routes)} />
    </QueryClientProvider>
  </StrictMode>,
);
