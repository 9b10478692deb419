"use strict";
// What links alone cannot do: swap a panel in place, keep the place while earlier rounds come in,
// and never show an ended share from the browser's back cache. Every link works without it.
(() => {
  const modified = (event) => event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const FLASH_MS = 1600;

  const unflash = (except) => {
    for (const entry of document.querySelectorAll(".cite-flash")) {
      if (entry !== except) entry.classList.remove("cite-flash");
    }
    for (const link of document.querySelectorAll(".cite-ref a[aria-current]")) link.removeAttribute("aria-current");
  };

  const arrive = (entry, link) => {
    unflash(entry);
    link.setAttribute("aria-current", "true");
    entry.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
    entry.focus({ preventScroll: true });
    setTimeout(() => entry.classList.remove("cite-flash"), FLASH_MS);
  };

  // One delegated listener: rounds that are added later need none of their own.
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".cite-ref a[data-panel]");
    if (!link || modified(event) || !window.htmx) return;
    const panel = link.closest(".message")?.querySelector(".cite-sources");
    if (!panel) return;
    event.preventDefault();
    const entry = decodeURIComponent(new URL(link.href).hash.slice(1));
    htmx
      .ajax("GET", link.dataset.panel, { source: link, target: panel, swap: "outerHTML" })
      .then(() => {
        const found = document.getElementById(entry);
        if (found) arrive(found, link);
        else location.assign(link.href);
      });
  });

  // The next message stays where it is while earlier rounds are put in above it.
  let anchor = null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    const source = event.detail.requestConfig?.elt;
    if (!source?.matches?.("[data-keeps-place]")) return;
    const next = source.closest(".more")?.nextElementSibling;
    anchor = next && { element: next, top: next.getBoundingClientRect().top };
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (!anchor) return;
    scrollBy({ top: anchor.element.getBoundingClientRect().top - anchor.top, behavior: "instant" });
    anchor = null;
  });

  addEventListener("pagehide", () => document.documentElement.classList.add("is-leaving"));
  addEventListener("pageshow", async (event) => {
    const show = () => document.documentElement.classList.remove("is-leaving");
    // Going back may also show what the HTTP cache holds, and that without asking us.
    const returned = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
    if (!event.persisted && !returned) return show();
    try {
      const answer = await fetch(location.href, { method: "HEAD", cache: "no-store", credentials: "same-origin" });
      if (answer.status === 200) return show();
    } catch {
      // Out of reach counts as ended: the page is asked for again below.
    }
    document.body.replaceChildren();
    show();
    location.reload();
  });
})();
