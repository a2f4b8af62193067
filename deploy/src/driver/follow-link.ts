/**
 * A shopper opens a shared link in a browser: our redirect sends them on to the shop, which remembers them by name. Throws when
 * either of the two doesn't do its part.
 */
export async function followLink(url: string, short_path: string, shopper: string): Promise<void> {
  const headers = { "x-shopper": shopper, "user-agent": `browser of ${shopper}` };
  const redirect = await fetch(`${url}${short_path}`, { redirect: "manual", headers });
  const to = redirect.headers.get("location");
  await redirect.arrayBuffer();
  if (redirect.status !== 302 || !to?.includes("/dp/"))
    throw new Error(`${short_path} leads to ${to ?? `an answer ${redirect.status}`}, not to the shop`);
  const page = await fetch(new URL(to, url), { headers });
  await page.arrayBuffer();
  if (!page.ok) throw new Error(`the shop answered ${page.status} to ${to}`);
}
