import { en } from "../copy/en.ts";
import { Hero } from "../features/home/hero.tsx";
import { PageHead } from "../ui/page-head.tsx";

/** `/` */
export function Component() {
  return (
    <>
      <PageHead title={en.home.headline} description={en.home.tagline} canonical="/" />
      <Hero />
    </>
  );
}
