// @vitest-environment jsdom
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createQueryClient } from "../query-client.ts";
import { routes } from "../routes.tsx";

const answer = { version: () => Response.json({ version: "1.4.2" }) };

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
  vi.stubGlobal("scrollTo", () => undefined);
  vi.stubGlobal("fetch", async () => answer.version());
  answer.version = () => Response.json({ version: "1.4.2" });
  document.documentElement.dataset.theme = "light";
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

async function open(path: string, pages = routes) {
  const queries = createQueryClient();
  render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={createMemoryRouter(pages, { initialEntries: [path] })} />
    </QueryClientProvider>,
  );
  await screen.findByRole("heading", { level: 1 });
  return queries;
}

test("the home page says what the product is and begins at the sign-up", async () => {
  await open("/");

  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Affiliate Platform for Amazon Brands");
  screen.getByText("Connecting brands with creators, ambassadors, influencers and affiliates");
  expect(screen.getByRole("link", { name: "Get Started For Free" }).getAttribute("href")).toBe("/signup");
  expect(document.title).toBe("Affiliate Platform for Amazon Brands · Tributary");
});

test("the home page has one title, one canonical address and one description, whatever the HTML brought along", async () => {
  document.head.innerHTML =
    '<title data-ssr>Tributary</title><link data-ssr rel="canonical" href="https://old.example/">';

  await open("/");

  expect([...document.querySelectorAll("title")].map((title) => title.textContent)).toEqual([
    "Affiliate Platform for Amazon Brands · Tributary",
  ]);
  expect(
    [...document.querySelectorAll<HTMLLinkElement>("link[rel=canonical]")].map(({ href }) => href),
  ).toEqual([`${location.origin}/`]);
  expect(document.querySelectorAll("meta[name=description]")).toHaveLength(1);
});

test("an address that no page answers to says so, keeps out of search engines and leads home", async () => {
  await open("/nowhere");

  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("404 Page Not Found");
  screen.getByText("Did you forget to add the page to the router?");
  expect(document.querySelector("meta[name=robots]")?.getAttribute("content")).toBe("noindex");
  expect(document.querySelector("link[rel=canonical]")).toBeNull();

  await userEvent.click(screen.getByRole("link", { name: "Home" }));
  await screen.findByRole("heading", { level: 1, name: "Affiliate Platform for Amazon Brands" });
});

test("after going to another page, focus is on its heading and its title is announced", async () => {
  await open("/nowhere");

  await userEvent.click(screen.getByRole("link", { name: "Tributary, home" }));

  const heading = await screen.findByRole("heading", { name: "Affiliate Platform for Amazon Brands" });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(screen.getByRole("status").textContent).toBe("Affiliate Platform for Amazon Brands · Tributary");
});

test("the first thing the keyboard reaches is the way past the bar", async () => {
  await open("/");

  await userEvent.tab();

  expect(document.activeElement?.textContent).toBe("Skip to content");
  expect(document.querySelector(document.activeElement?.getAttribute("href") ?? "")?.tagName).toBe("MAIN");
});

test("a page whose code cannot be fetched says so and offers to try again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const lost = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

  await open("/", [{ ...routes[0], index: false, children: [{ path: "/", lazy: lost }] }]);

  screen.getByRole("alert");
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Something went wrong on our side");
  screen.getByRole("button", { name: "Try Again" });
});

test("the bar leads to How It Works, Pricing, Log In and Sign Up", async () => {
  await open("/");

  const bar = within(screen.getByRole("banner"));
  const leadsTo = (name: string) => bar.getAllByRole("link", { name, hidden: true })[0]?.getAttribute("href");
  expect(leadsTo("How It Works")).toBe("/#how-it-works");
  expect(leadsTo("Pricing")).toBe("/#pricing");
  expect(leadsTo("Log In")).toBe("/login");
  expect(leadsTo("Sign Up")).toBe("/signup");
  expect(bar.queryByRole("link", { name: "Dashboard", hidden: true })).toBeNull();
});

test("the menu of a phone opens, closes with Escape and gives the focus back, and closes when left", async () => {
  await open("/");
  const opener = screen.getByRole("button", { name: "Menu" });
  const isOpen = () => opener.getAttribute("aria-expanded") === "true";

  await userEvent.click(opener);
  expect(isOpen()).toBe(true);
  await userEvent.tab();
  expect(document.activeElement?.textContent).toBe("How It Works");
  await userEvent.keyboard("{Escape}");
  expect(isOpen()).toBe(false);
  expect(document.activeElement).toBe(opener);

  await userEvent.click(opener);
  for (const place of ["How It Works", "Pricing", "Log In", "Switch to dark theme", "Get Started For Free"]) {
    expect(isOpen()).toBe(true);
    await userEvent.tab();
    expect(document.activeElement?.textContent).toBe(place);
  }
  expect(isOpen()).toBe(false);

  await userEvent.click(opener);
  await userEvent.click(document.body);
  expect(isOpen()).toBe(false);

  await userEvent.click(opener);
  const menu = document.getElementById(opener.getAttribute("aria-controls") ?? "") as HTMLElement;
  await userEvent.click(within(menu).getByRole("link", { name: "Pricing" }));
  await waitFor(() => expect(isOpen()).toBe(false));
});

test("the theme can be switched, and the button then offers the way back", async () => {
  await open("/");

  await userEvent.click(screen.getAllByRole("button", { name: "Switch to dark theme" })[0] as HTMLElement);

  expect(document.documentElement.dataset.theme).toBe("dark");
  await screen.findAllByRole("button", { name: "Switch to light theme" });
});

test("the footer shows the version, the current year and two featured badges that lead outside", async () => {
  await open("/");

  const footer = within(screen.getByRole("contentinfo"));
  await footer.findByText("v1.4.2");
  footer.getByText(`© ${new Date().getFullYear()} Tributary`);
  const outside = footer
    .getAllByRole("link")
    .filter((link) => link.getAttribute("href")?.startsWith("https://"));
  expect(outside).toHaveLength(2);
});

test.each([
  {
    failing: "refuses",
    version: () => new Response("down", { status: 500 }),
    because: "Failed to fetch version",
  },
  {
    failing: "breaks its contract",
    version: () => Response.json({ version: 7 }),
    because: "invalid_type",
  },
])(
  "a version call that $failing leaves the footer without a version and without an error",
  async ({ version, because }) => {
    answer.version = version;
    const queries = await open("/");

    await waitFor(() => expect(queries.getQueryState(["/api/version"])?.status).toBe("error"));

    expect(String(queries.getQueryState(["/api/version"])?.error)).toContain(because);
    const said = screen.getByRole("contentinfo").textContent ?? "";
    expect(said).toMatch(/© \d{4} TributaryAmazon is a trademark/);
    expect(said).not.toMatch(/undefined|fail|error/i);
    expect(said).toContain("Terms of Service");
  },
);
