import { Link } from "react-router-dom";
import { en } from "../copy/en.ts";
import { Lockup } from "../look/mark.tsx";
import { ButtonLink } from "../ui/button.tsx";
import { NavMenu } from "./nav-menu.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";

/** The bar of the public pages. On phones everything but the sign-up moves into the menu. */
export function PublicNav() {
  return (
    <header className="sticky top-0 z-(--z-bar) border-b border-line bg-page">
      <div className="page-width flex h-15 items-center gap-2 sm:h-16">
        <Link to="/" className="inline-flex min-h-11 items-center rounded-mark" aria-label={en.nav.home}>
          <Lockup />
        </Link>
        <nav aria-label={en.nav.label} className="hidden sm:block">
          <ul className="ml-5 flex gap-1">
            {sections.map(({ to, words }) => (
              <li key={to}>
                <Link to={to} className={sectionLook}>
                  {words}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto flex items-center gap-2">
          <ThemeToggle as="icon" className="max-[399px]:hidden" />
          <ButtonLink kind="quiet" to="/login" className="max-sm:hidden">
            {en.nav.logIn}
          </ButtonLink>
          <ButtonLink kind="primary" to="/signup">
            {en.nav.signUp}
          </ButtonLink>
          <NavMenu
            links={[...sections, { to: "/login", words: en.nav.logIn }]}
            last={(row) => <ThemeToggle as="row" className={`${row} min-[400px]:hidden`} />}
          />
        </div>
      </div>
    </header>
  );
}

const sections = [
  { to: "/#how-it-works", words: en.nav.howItWorks },
  { to: "/#pricing", words: en.nav.pricing },
];

const sectionLook =
  "inline-flex min-h-9 items-center rounded-control px-3 font-medium text-ink-2 transition-colors hover:bg-sunken hover:text-ink";
