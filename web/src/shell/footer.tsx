import { Award, type LucideIcon, Rocket } from "lucide-react";
import { Link } from "react-router-dom";
import { en } from "../copy/en.ts";
import { useVersion } from "../features/version/version.ts";
import { Mark } from "../look/mark.tsx";

/** The foot of the public pages. The version is left out while it is unknown: nobody came here to read about that. */
export function Footer({ year }: { year: number }) {
  const version = useVersion();
  return (
    <footer className="pb-10 text-ui text-ink-2">
      <div aria-hidden="true" className="grid gap-[3px] py-px">
        <div className="h-1 bg-river" />
        <div className="h-1 bg-cent-mark" />
        <div className="h-1 bg-river" />
      </div>
      <div className="page-width flex flex-wrap items-center gap-x-12 gap-y-6 pt-7">
        <Mark />
        <nav aria-label={en.footer.label} className="max-sm:w-full">
          <ul className="grid grid-cols-2 gap-x-5 sm:flex">
            {pages.map(({ to, words }) => (
              <li key={to}>
                <Link to={to} className={pageLook}>
                  {words}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <ul className="flex flex-wrap gap-2.5 max-sm:w-full lg:ml-auto">
          {featured.map((badge) => (
            <li key={badge.name} className="max-sm:grow max-sm:basis-38">
              <FeaturedBadge {...badge} />
            </li>
          ))}
        </ul>
        <p className="flex w-full flex-wrap gap-x-4 gap-y-1 text-small text-ink-3">
          <span>
            © {year} {en.brand}
          </span>
          {version !== undefined && <span className="num">v{version}</span>}
          <span>{en.footer.trademark}</span>
        </p>
      </div>
    </footer>
  );
}

function FeaturedBadge({ name, href, icon: Icon }: Featured) {
  return (
    <a
      href={href}
      rel="noopener"
      className="flex min-h-11 items-center gap-2.5 rounded-control border border-line-2 bg-panel pr-3.5 pl-3 leading-[1.1rem] font-strong whitespace-nowrap text-ink transition-colors hover:bg-sunken"
    >
      <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
      <span>
        <span className="block text-caption font-text text-ink-3">{en.footer.featuredOn}</span> {name}
      </span>
    </a>
  );
}

type Featured = { name: string; href: string; icon: LucideIcon };

/** The two directories that feature the product. */
const featured: Featured[] = [
  { name: "Launch Ledger", href: "https://launch-ledger.example/tributary", icon: Rocket },
  { name: "Maker Review", href: "https://maker-review.example/tributary", icon: Award },
];

const pages = [
  { to: "/terms-of-service", words: en.footer.terms },
  { to: "/privacy-policy", words: en.footer.privacy },
  { to: "/amazon/eula", words: en.footer.amazonEula },
  { to: "/blog", words: en.footer.blog },
];

const pageLook =
  "inline-flex min-h-11 items-center rounded-mark underline decoration-1 underline-offset-3 hover:text-river-strong hover:decoration-2 sm:min-h-7";
