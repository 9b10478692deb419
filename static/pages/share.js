(() => {
  "use strict";
  // What links alone cannot do: swap a panel in place, keep the place while earlier rounds come in, copy,
  // and never show an ended share from the browser's back cache. Every link works without it.
  const FLASH_MS = 1600;
  const SAID_MS = 2000;
  const PAGE_LEVELS = 2;
  const modified = (event) => event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // The followed entry: one at a time, for as long as its flash lasts. Without motion it stays marked.
  const mark = (entry) => {
    for (const other of document.querySelectorAll(".cite-flash")) {
      if (other !== entry) other.classList.remove("cite-flash");
    }
    entry.focus({ preventScroll: true });
    if (!calm.matches) setTimeout(() => entry.classList.remove("cite-flash"), FLASH_MS);
  };

  const arrive = (entry, link) => {
    for (const other of document.querySelectorAll(".cite-ref a[aria-current]")) other.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    entry.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
    mark(entry);
  };

  const follow = (link) => {
    const panel = link.closest(".message").querySelector(".cite-sources");
    if (!panel) return location.assign(link.href);
    const entry = decodeURIComponent(new URL(link.href).hash.slice(1));
    htmx.ajax("GET", link.dataset.panel, { source: link, target: panel, swap: "outerHTML" }).then(() => {
      const found = document.getElementById(entry);
      if (found) arrive(found, link);
      else location.assign(link.href);
    });
  };

  // What was copied is said where it was asked for, and to a screen reader.
  const say = (place) => {
    const said = document.createElement("span");
    said.className = "copied";
    said.setAttribute("role", "status");
    place.after(said);
    said.textContent = document.body.dataset.copied;
    setTimeout(() => said.remove(), SAID_MS);
  };

  const markdownOf = async (link) => {
    const answer = await fetch(link.href, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.text();
  };

  // The text is promised, not awaited: Safari writes only while the click lasts.
  const copy = (link) => {
    const text = link.dataset.copies === "address" ? Promise.resolve(link.href) : markdownOf(link);
    const item = new ClipboardItem({ "text/plain": text.then((words) => new Blob([words], { type: "text/plain" })) });
    navigator.clipboard.write([item]).then(() => say(link), () => location.assign(link.href));
  };

  const copyCode = (button) => {
    const code = button.parentElement.querySelector("code");
    navigator.clipboard.writeText(code.textContent).then(() => say(button), () => getSelection().selectAllChildren(code));
  };

  const put = (element, name, attributes = {}) => {
    const box = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) box.setAttribute(key, value);
    element.replaceWith(box);
    box.append(element);
    return box;
  };

  // A button that is drawn, not written: the message's text stays the chat's.
  const addCopyButton = (pre) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.setAttribute("aria-label", document.body.dataset.copyCode);
    put(pre, "div", { class: "code" }).append(button);
  };

  // As a table in a box it keeps its rows for a screen reader; an empty corner is no header of anything.
  const boxTable = (table) => {
    table.removeAttribute("tabindex");
    put(table, "div", { class: "scroll", role: "group", tabindex: 0, "aria-label": document.body.dataset.table });
    for (const corner of table.querySelectorAll("th:empty")) corner.setAttribute("role", "cell");
  };

  // Headings of a message stand below those of the page, without a gap.
  const levelHeadings = (body) => {
    const outline = [];
    for (const heading of body.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
      const level = Number(heading.localName[1]);
      while (outline.length && outline.at(-1) >= level) outline.pop();
      outline.push(level);
      heading.setAttribute("aria-level", PAGE_LEVELS + outline.length);
    }
  };

  const dress = () => {
    for (const body of document.querySelectorAll(".prose:not([data-dressed])")) {
      body.dataset.dressed = "";
      body.querySelectorAll("table").forEach(boxTable);
      levelHeadings(body);
      if (navigator.clipboard && body.matches(".message-body")) body.querySelectorAll("pre").forEach(addCopyButton);
    }
  };

  // One delegated listener: rounds that are added later need none of their own.
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".cite-ref a[data-panel], a[data-copies], button.copy");
    if (!link || modified(event)) return;
    if (link.matches("button")) return copyCode(link);
    if (link.dataset.copies ? !navigator.clipboard : !window.htmx) return;
    event.preventDefault();
    if (link.dataset.copies) copy(link);
    else follow(link);
  });

  // Find in page reaches a folded panel; what it opened says so.
  document.addEventListener("beforematch", (event) => {
    const panel = event.target.closest?.(".cite-sources");
    panel?.setAttribute("data-open", "true");
    panel?.querySelector(".fold")?.setAttribute("aria-expanded", "true");
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
    dress();
    if (!anchor) return;
    scrollBy({ top: anchor.element.getBoundingClientRect().top - anchor.top, behavior: "instant" });
    anchor = null;
  });

  // Back loads the page again, which the browser takes for the place that was left, not for the one that is come to.
  const keepPlace = (place) => history.replaceState({ ...history.state, place }, "");
  document.addEventListener("htmx:beforeHistoryUpdate", () => keepPlace(scrollY));
  document.addEventListener("scrollend", () => history.state?.htmx && keepPlace(scrollY));
  // After htmx has begun to listen: it forgets the place, and then asks for the page.
  document.addEventListener("DOMContentLoaded", () => {
    addEventListener("popstate", (event) => {
      if (event.state?.place === undefined) return;
      keepPlace(event.state.place);
      history.scrollRestoration = "manual";
    });
  });
  if (history.scrollRestoration === "manual") {
    scrollTo({ top: history.state?.place ?? 0, behavior: "instant" });
    addEventListener("load", () => setTimeout(() => (history.scrollRestoration = "auto")));
  }

  dress();
  const followed = document.querySelector(".cite-flash");
  if (followed) mark(followed);

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
