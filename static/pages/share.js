(() => {
  "use strict";
  // What links alone cannot do: swap a panel in place, keep the reader's place, copy, and never show an ended share
  // from the browser's back cache. Every link works without it.
  const FLASH_MS = 1600;
  const SAID_MS = 2000;
  const PAGE_LEVELS = 2;
  const { body } = document;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const modified = (event) => event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // A share with a password: a key goes along with whatever is asked for, as no cookie does. The page comes with
  // buttons that carry it without a script; here they are the links that they stand for.
  const KEY = "X-Share-Key";
  const keyed = () => (body.dataset.key ? { [KEY]: body.dataset.key } : {});
  const keepKey = (key) => {
    if (!key || !body.dataset.key) return;
    body.dataset.key = key;
    for (const field of all("form > input[name=key]")) field.value = key;
  };
  const linksAgain = () => {
    for (const button of all("button.as-link[formaction]")) {
      const link = document.createElement("a");
      for (const { name, value } of button.attributes) {
        if (!["type", "form", "formaction", "formtarget"].includes(name)) link.setAttribute(name, value);
      }
      link.href = button.getAttribute("formaction");
      link.target = button.getAttribute("formtarget") ?? "";
      link.classList.remove("as-link");
      link.append(...button.childNodes);
      button.replaceWith(link);
    }
  };
  linksAgain();
  const tokenOf = ({ pathname }) => pathname.split("/")[2];
  const needsKey = (link) => body.dataset.key && link.origin === location.origin && tokenOf(link) === tokenOf(location);
  const go = (href, target = "") => {
    if (!body.dataset.key) return location.assign(href);
    const form = document.forms["key-form"];
    form.action = href;
    form.target = target;
    form.submit();
  };
  if (body.dataset.key) {
    document.addEventListener("htmx:configRequest", ({ detail }) => Object.assign(detail.headers, keyed()));
    document.addEventListener("htmx:afterRequest", ({ detail }) => keepKey(detail.xhr.getResponseHeader(KEY)));
    document.addEventListener("htmx:historyCacheMiss", ({ detail }) => detail.xhr.setRequestHeader(KEY, body.dataset.key));
    document.addEventListener("htmx:historyCacheMissLoadError", () => go(location.href));
    // So that loading it again asks for the page, and not whether a form may be sent twice.
    history.replaceState(history.state, "", location.href);
  }
  const targetOf = (link) => document.getElementById(decodeURIComponent(new URL(link.href).hash.slice(1)));

  // The followed entry: one at a time, for as long as its flash lasts. Without motion it stays marked.
  const mark = (entry) => {
    for (const other of all(".cite-flash")) if (other !== entry) other.classList.remove("cite-flash");
    entry.focus({ preventScroll: true });
    if (!calm.matches) setTimeout(() => entry.classList.remove("cite-flash"), FLASH_MS);
  };

  const follow = (link) => {
    const panel = link.closest(".message").querySelector(".cite-sources");
    if (!panel) return go(link.href);
    htmx.ajax("GET", link.dataset.panel, { source: link, target: panel, swap: "outerHTML" }).then(() => {
      const entry = targetOf(link);
      if (!entry?.matches(".cite-flash")) return;
      for (const other of all(".cite-ref a[aria-current]")) other.removeAttribute("aria-current");
      link.setAttribute("aria-current", "true");
      entry.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
      mark(entry);
    }, () => {});
  };

  // The card of a claim lies beside its superscript; the page stands still, and the claim's words are marked.
  const cardOf = () => document.getElementById("evidence-card");
  let opened = null;
  let openedAt = 0;
  const extentOf = (link) => {
    const end = link.closest(".cite-ref");
    const message = link.closest(".message-body");
    const start = [...message.querySelectorAll("[data-claim-start]")].find(
      (one) => one.dataset.claimStart === end.dataset.claim,
    );
    const first = [...message.querySelectorAll(".cite-ref")].find((one) => one.dataset.claim === end.dataset.claim);
    if (!start || !window.Highlight) return;
    const range = new Range();
    range.setStartAfter(start);
    range.setEndBefore(first);
    CSS.highlights.set("claim", new Highlight(range));
  };
  const openCard = (link) => {
    const card = cardOf();
    if (opened === link && card.matches(":popover-open")) return;
    htmx.ajax("GET", link.dataset.card, { source: link, target: card.firstElementChild, swap: "innerHTML" }).then(() => {
      card.hidePopover();
      opened = link;
      link.setAttribute("aria-expanded", "true");
      link.setAttribute("aria-details", card.id);
      extentOf(link);
      card.showPopover({ source: link });
      card.scrollTop = 0;
      openedAt = scrollY;
    }, () => {});
  };
  let closing = false;
  const closed = (event) => {
    if (event.target.id !== "evidence-card" || event.newState !== "closed" || !opened) return;
    opened.removeAttribute("aria-expanded");
    opened.removeAttribute("aria-details");
    opened = null;
    window.CSS?.highlights?.delete("claim");
    // The focus goes back to the superscript, which is no wish to see the card again.
    closing = true;
    setTimeout(() => (closing = false), 100);
  };
  document.addEventListener("beforetoggle", closed, true);
  const hideCard = () => opened && Math.abs(scrollY - openedAt) > 8 && cardOf().hidePopover();
  addEventListener("scroll", hideCard, { passive: true });
  document.addEventListener("focusin", ({ target }) => {
    if (!closing && window.htmx && target.matches?.(".cite-ref a[data-card]:focus-visible")) openCard(target);
  });

  // Said where it was asked for, and to a screen reader.
  const say = (place, words) => {
    for (const other of all(".said-here")) other.remove();
    const said = document.createElement("span");
    said.className = "said-here";
    said.setAttribute("role", "status");
    place.after(said);
    said.textContent = words;
    setTimeout(() => said.remove(), SAID_MS);
  };

  // An answer that is no panel is shown as the page that it is. Without an answer this page stays, and says so.
  document.addEventListener("htmx:responseError", ({ detail }) => detail.elt.href && go(detail.elt.href));
  document.addEventListener("htmx:sendError", ({ detail }) => say(detail.elt, body.dataset.unreachable));

  const wordsOf = async (link) => {
    if (link.dataset.copies === "address") return link.href;
    const answer = await fetch(link.href, { credentials: "same-origin", headers: keyed() });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.text();
  };

  // The text is promised, not awaited: Safari writes only while the click lasts.
  const copy = (link) => {
    const words = wordsOf(link);
    const plain = words.then((text) => new Blob([text], { type: "text/plain" }));
    // A clipboard that refuses at once does not look at what it was promised.
    plain.catch(() => {});
    navigator.clipboard.write([new ClipboardItem({ "text/plain": plain })]).then(
      () => say(link, body.dataset.copied),
      () =>
        words.then(
          () => go(link.href),
          (fault) => (fault instanceof TypeError ? say(link, body.dataset.unreachable) : go(link.href)),
        ),
    );
  };

  const copyCode = (button) => {
    const code = button.parentElement.querySelector("code");
    navigator.clipboard.writeText(code.textContent).then(
      () => say(button, body.dataset.copied),
      () => getSelection().selectAllChildren(code),
    );
  };

  const put = (element, attributes) => {
    const box = document.createElement("div");
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
    button.setAttribute("aria-label", body.dataset.copyCode);
    put(pre, { class: "code" }).append(button);
  };

  // As a table in a box it keeps its rows for a screen reader; an empty corner is no header of anything.
  const boxTable = (table) => {
    table.removeAttribute("tabindex");
    put(table, { class: "scroll", role: "group", tabindex: 0, "aria-label": body.dataset.table });
    for (const corner of table.querySelectorAll("th:empty")) corner.setAttribute("role", "cell");
  };

  // Headings of a message stand below those of the page, without a gap.
  const levelHeadings = (text) => {
    const outline = [];
    for (const heading of text.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
      const level = Number(heading.localName[1]);
      while (outline.length && outline.at(-1) >= level) outline.pop();
      outline.push(level);
      heading.setAttribute("aria-level", PAGE_LEVELS + outline.length);
    }
  };

  const dress = (root = document) => {
    for (const text of root.querySelectorAll(".prose:not([data-dressed])")) {
      text.dataset.dressed = "";
      text.querySelectorAll("table").forEach(boxTable);
      levelHeadings(text);
      for (const box of text.querySelectorAll("input[type=checkbox]")) {
        box.setAttribute("aria-label", body.dataset[box.checked ? "done" : "openTask"]);
      }
      if (navigator.clipboard && text.matches(".message-body")) text.querySelectorAll("pre").forEach(addCopyButton);
    }
  };

  // Rounds that came in later are in no address: one that is left, or led to, names its message.
  let firstRounds = new WeakSet(all(".round"));
  const nameMessage = (round) => {
    if (!round || firstRounds.has(round)) return;
    const address = new URL(location.href);
    address.searchParams.set("at", new URL(round.querySelector(".permalink").href).searchParams.get("at"));
    address.searchParams.delete("part");
    history.replaceState(history.state, "", address);
  };

  // Back loads the page again, which may come with other rounds: the place is the message at the top of the window.
  let leaving = false;
  const keepPlace = () => {
    const isInSight = (one) => one.getBoundingClientRect().bottom > 0;
    const rounds = all(".round");
    const first = Math.max(0, rounds.findIndex(isInSight));
    const message = rounds.slice(first, first + 2).flatMap((round) => [...round.querySelectorAll(".message")]).find(isInSight);
    if (leaving || !message) return;
    nameMessage(message.closest(".round"));
    const place = { id: message.id, top: message.getBoundingClientRect().top };
    history.replaceState({ ...history.state, place }, "");
  };
  document.addEventListener("htmx:beforeHistoryUpdate", keepPlace);
  document.addEventListener("scrollend", () => history.state?.htmx && keepPlace());
  // After htmx has begun to listen: it forgets the place, and then asks for the page.
  document.addEventListener("DOMContentLoaded", () => {
    addEventListener("popstate", ({ state }) => {
      if (!state?.htmx) return;
      leaving = true;
      history.replaceState({ ...history.state, place: state.place }, "");
      history.scrollRestoration = "manual";
    });
  });

  // A branch opens in the place of this thread, as it does from the tree of threads.
  const openThread = (link) =>
    htmx.ajax("GET", link.dataset.thread, { source: link, target: "#thread", swap: "outerHTML" }).catch(() => {});

  // Led to the words in the middle of the window, else to the place that the address names.
  const arrive = () => {
    firstRounds = new WeakSet(all(".round"));
    const thread = new URL(location.href).searchParams.get("thread");
    for (const link of all("[data-of-thread]")) {
      const there = new URL(link.href);
      if (thread) there.searchParams.set("thread", thread);
      else there.searchParams.delete("thread");
      link.href = there.href;
    }
    const passage = document.querySelector("[data-arrived] .passage");
    const place = targetOf(location) ?? document.getElementById("rounds");
    const behavior = calm.matches ? "auto" : "smooth";
    (passage ?? place).scrollIntoView({ block: passage ? "center" : "start", behavior });
    const focused = place.matches("[tabindex]") ? place : place.querySelector(".arrival a, a");
    focused?.focus({ preventScroll: true });
  };
  document.addEventListener("htmx:afterSettle", ({ detail }) => detail.elt.id === "thread" && arrive());

  // The visible text of a message as the server has it (quotes/visible_text), with the place of each code point.
  const INLINE = new Set(
    ("a abbr b cite code del em i ins kbd mark q rp rt ruby s small span strong sub sup u " +
      "math svg").split(" "),
  );
  const visible = (root) => {
    const text = [];
    const places = [];
    let apart = false;
    const put = (char, node, from, to) => {
      if (char === " " && (!text.length || text.at(-1) === " ")) return;
      text.push(char);
      places.push({ node, from, to });
    };
    const read = (node) => {
      if (node.nodeType === Node.TEXT_NODE) {
        let at = 0;
        for (const char of node.data) {
          const isSpace = /\s/.test(char);
          if (!isSpace && apart) put(" ", node, at, at);
          if (!isSpace) apart = false;
          if (!isSpace || !apart) put(isSpace ? " " : char, node, at, at + char.length);
          at += char.length;
        }
      } else if (!node.matches?.(".cite-ref, .branch-sign, .copy, .said-here, .passage-link")) {
        const isBlock = node !== root && !INLINE.has(node.localName) && !node.closest("math");
        apart = apart || isBlock;
        node.childNodes.forEach(read);
        apart = apart || isBlock;
      }
    };
    read(root);
    return { text, places };
  };

  // Words that a reader selected in one message, with what stands around them: as much as tells them apart.
  const AROUND = 64;
  const LONGEST = 600;
  const selectorOf = (message, range) => {
    const { text, places } = visible(message);
    const inside = ({ node, from, to }) =>
      from < to && range.comparePoint(node, from) >= 0 && range.comparePoint(node, to) <= 0;
    let first = places.findIndex(inside);
    let last = places.findLastIndex(inside);
    while (first <= last && text[first] === " ") first += 1;
    while (last >= first && text[last] === " ") last -= 1;
    if (first < 0 || last < first || last - first >= LONGEST) return null;
    const words = (from, to) => text.slice(Math.max(0, from), to).join("");
    return {
      exact: words(first, last + 1),
      prefix: words(first - AROUND, first),
      suffix: words(last + 1, last + 1 + AROUND),
      start: String(first),
    };
  };
  const offerLink = () => {
    for (const other of all(".passage-link")) other.remove();
    const selection = getSelection();
    if (!selection.rangeCount || selection.isCollapsed) return;
    const range = selection.getRangeAt(0);
    const inside = range.commonAncestorContainer;
    const text = (inside.nodeType === Node.TEXT_NODE ? inside.parentElement : inside).closest?.(".message-body");
    const chosen = text && selectorOf(text, range);
    if (!chosen) return;
    const message = text.closest(".message");
    const address = new URL(message.querySelector(".permalink").href);
    for (const [name, words] of Object.entries(chosen)) if (words) address.searchParams.set(name, words);
    const link = document.createElement("a");
    link.className = "passage-link";
    link.href = address.href.replaceAll("+", "%20");
    link.dataset.copies = "address";
    link.textContent = body.dataset.linkPassage;
    text.after(link);
    link.style.top = `${range.getBoundingClientRect().bottom - message.getBoundingClientRect().top + 8}px`;
  };
  let offering = 0;
  document.addEventListener("selectionchange", () => {
    clearTimeout(offering);
    offering = setTimeout(() => document.activeElement?.matches?.(".passage-link") || offerLink(), 250);
  });

  // A place on this page is gone to, not loaded.
  const goTo = (link) => {
    const target = targetOf(link);
    if (!target) return false;
    nameMessage(target.closest(".round"));
    location.hash = new URL(link.href).hash;
    return true;
  };

  // The state that the page has come to, in another language or theme.
  const choose = (link) => {
    const here = new URL(location.href);
    if (link.dataset.value) here.searchParams.set(link.dataset.sets, link.dataset.value);
    else here.searchParams.delete(link.dataset.sets);
    if (!here.hash && body.dataset.place) here.hash = body.dataset.place;
    link.href = here.href;
  };

  // One delegated listener, before htmx: rounds that are added later need none of their own.
  const clicked = (event) => {
    const link = event.target.closest("a, button.copy");
    if (!link) return;
    if (link.dataset.sets) choose(link);
    if (modified(event)) {
      if (link.hasAttribute("hx-get")) event.stopPropagation();
      if (!needsKey(link)) return;
      event.preventDefault();
      return go(link.href, "_blank");
    }
    if (link.matches("button")) return copyCode(link);
    if (link.dataset.copies && navigator.clipboard) copy(link);
    else if (link.dataset.panel && window.htmx) follow(link);
    else if (link.dataset.card && window.htmx && cardOf()?.showPopover) openCard(link);
    else if (link.dataset.thread && window.htmx) openThread(link);
    else if (link.dataset.here === undefined || !goTo(link)) {
      if (!needsKey(link) || link.hasAttribute("hx-get")) return;
      go(link.href, link.target);
    }
    event.preventDefault();
  };
  document.addEventListener("click", clicked, true);

  // Find in page reaches a folded panel; what it opened says so, and folds at the next click.
  document.addEventListener("beforematch", (event) => {
    const panel = event.target.closest?.(".cite-sources");
    const fold = panel?.querySelector(".fold");
    if (!fold) return;
    panel.setAttribute("data-open", "true");
    fold.setAttribute("aria-expanded", "true");
    fold.setAttribute("hx-get", fold.dataset.fold);
    htmx.process(fold);
  });

  document.addEventListener("htmx:afterSettle", ({ detail }) => dress(detail.elt.parentElement ?? document));

  // The rounds of another part come in a few at a time, so that no frame is late; earlier ones from below, while the
  // next message stays where it is.
  const AT_ONCE = 2;
  const PAUSE_MS = 30;
  const pause = () => new Promise((then) => setTimeout(then, PAUSE_MS));
  // The window moves by whole pixels: what is left over is owed to the next move.
  let owed = 0;
  const inPlace = (element, change) => {
    const { top } = element.getBoundingClientRect();
    change();
    const far = element.getBoundingClientRect().top - top + owed;
    const before = scrollY;
    scrollBy({ top: far, behavior: "instant" });
    owed = far - (scrollY - before);
  };
  const insert = (more, rounds, isBefore) => {
    rounds.forEach((round) => dress(round));
    if (isBefore) inPlace(more.nextElementSibling, () => more.after(...rounds));
    else more.before(...rounds);
    rounds.forEach((round) => htmx.process(round));
  };
  const bringIn = async (more, html) => {
    const isBefore = more.querySelector("[data-keeps-place]") !== null;
    const next = more.nextElementSibling;
    const hadFocus = more.contains(document.activeElement);
    owed = 0;
    const rounds = [...new DOMParser().parseFromString(html, "text/html").body.children];
    const link = rounds.find((one) => one.matches(".more"));
    if (link) rounds.splice(rounds.indexOf(link), 1);
    const [first] = rounds;
    more.inert = true;
    document.documentElement.classList.toggle("is-growing", isBefore);
    while (rounds.length && more.isConnected) {
      insert(more, isBefore ? rounds.splice(-AT_ONCE) : rounds.splice(0, AT_ONCE), isBefore);
      await pause();
    }
    document.documentElement.classList.remove("is-growing");
    if (!more.isConnected) return;
    const end = () => (link ? more.replaceWith(link) : more.remove());
    if (isBefore) inPlace(next, end);
    else end();
    if (link) htmx.process(link);
    if (hadFocus && document.activeElement === body) {
      (isBefore ? next : first)?.querySelector("a")?.focus({ preventScroll: true });
    }
  };
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!detail.shouldSwap || !detail.target.matches(".more")) return;
    detail.shouldSwap = false;
    // Asked for twice, by a click and by coming into sight, it comes in once.
    if (!detail.target.inert) bringIn(detail.target, detail.serverResponse);
  });

  // Where the page leads to, or was left at.
  const atOnce = (element, block) => element?.scrollIntoView({ block, behavior: "instant" });
  const begin = () => {
    dress();
    const loaded = (then) => (document.readyState === "complete" ? setTimeout(then) : addEventListener("load", then));
    const followed = document.querySelector(".cite-flash, [data-arrived] .passage");
    if (history.scrollRestoration === "manual") {
      loaded(() => setTimeout(() => (history.scrollRestoration = "auto")));
      const { id, top } = history.state?.place ?? {};
      const message = document.getElementById(id);
      if (message) scrollBy({ top: message.getBoundingClientRect().top - top, behavior: "instant" });
      else atOnce(followed, "center");
    } else if (followed?.matches(".passage")) {
      loaded(() => atOnce(followed, "center"));
    } else if (!location.hash && body.dataset.place) {
      atOnce(document.getElementById(body.dataset.place), followed ? "center" : "start");
    }
    if (followed?.matches(".cite-flash")) mark(followed);
  };
  begin();
  // A page that was come back to with its key, in the place of the one before.
  document.addEventListener("htmx:historyRestore", () => {
    leaving = false;
    opened = null;
    firstRounds = new WeakSet(all(".round"));
    keepKey(document.forms["key-form"]?.elements.key.value);
    begin();
  });

  // In a frame: the page around it is told how high this one is, and nothing else.
  if (body.dataset.embed !== undefined && parent !== window) {
    const tell = () => {
      const { height } = document.documentElement.getBoundingClientRect();
      parent.postMessage({ type: "shareview:height", height: Math.ceil(height) }, "*");
    };
    new ResizeObserver(tell).observe(document.documentElement);
    addEventListener("message", ({ source, data }) => source === parent && data?.type === "shareview:ask" && tell());
  }

  addEventListener("pagehide", () => document.documentElement.classList.add("is-leaving"));
  addEventListener("pageshow", async (event) => {
    const show = () => document.documentElement.classList.remove("is-leaving");
    // Going back may also show what the HTTP cache holds, and that without asking us.
    const returned = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
    if (!event.persisted && !returned) return show();
    try {
      const answer = await fetch(location.href, { method: "HEAD", cache: "no-store", credentials: "same-origin", headers: keyed() });
      if (answer.status === 200) return show();
    } catch {
      // Out of reach counts as ended: the page is asked for again below.
    }
    body.replaceChildren();
    show();
    location.reload();
  });
})();
