import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";

/**
 * A browser tells a screen reader about a new page; a page that changes within the document has to do it itself.
 * After every arrival but the first, focus goes to the new heading and the new title is spoken.
 */
export function Arrival() {
  const { pathname } = useLocation();
  const left = useRef(pathname);
  const [title, setTitle] = useState("");

  useEffect(() => {
    if (left.current === pathname) return;
    left.current = pathname;
    const heading = document.querySelector<HTMLElement>("main h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
    setTitle(document.title);
  }, [pathname]);

  return (
    <p className="sr-only" role="status">
      {title}
    </p>
  );
}
