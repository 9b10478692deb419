(() => {
  "use strict";
  // For a page that shows shares in frames: each frame gets the height of what it shows.
  const origin = new URL(document.currentScript.src).origin;
  const SHORTEST = 200;
  const TALLEST = 20000;
  addEventListener("message", (event) => {
    if (event.origin !== origin || event.data?.type !== "shareview:height") return;
    const height = Number(event.data.height);
    if (!Number.isFinite(height)) return;
    for (const frame of document.querySelectorAll("iframe")) {
      if (frame.contentWindow !== event.source) continue;
      frame.style.height = `${Math.min(Math.max(Math.ceil(height), SHORTEST), TALLEST)}px`;
    }
  });
  // A frame that was there first has said its height to nobody.
  for (const frame of document.querySelectorAll("iframe")) {
    if (frame.src.startsWith(`${origin}/embed/`)) frame.contentWindow.postMessage({ type: "shareview:ask" }, "*");
  }
})();
