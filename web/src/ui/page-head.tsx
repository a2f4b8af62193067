import { useLayoutEffect } from "react";
import { en } from "../copy/en.ts";

type Head = { title: string; description?: string; canonical?: string; indexed?: boolean };

/**
 * What search engines and shared links see of a page. `canonical` is a path of this site. The tags that came with the
 * HTML (marked `data-ssr`) go as these arrive, so there is exactly one of each.
 */
export function PageHead({ title, description, canonical, indexed = true }: Head) {
  useLayoutEffect(() => {
    for (const tag of document.head.querySelectorAll("[data-ssr]")) tag.remove();
  }, []);
  const whole = `${title} · ${en.brand}`;
  const address = canonical && new URL(canonical, location.origin).href;
  return (
    <>
      <title>{whole}</title>
      {!indexed && <meta name="robots" content="noindex" />}
      {description && <meta name="description" content={description} />}
      {address && <link rel="canonical" href={address} />}
      {address && (
        <>
          <meta property="og:type" content="website" />
          <meta property="og:site_name" content={en.brand} />
          <meta property="og:title" content={title} />
          <meta property="og:url" content={address} />
        </>
      )}
      {address && description && <meta property="og:description" content={description} />}
    </>
  );
}
