(() => {
  "use strict";
  // In a frame of another site nothing is kept in the browser: htmx would note the address, and with it the token.
  if (document.body.dataset.embed === undefined) return;
  const none = () => {
    throw new DOMException("nothing is kept for a frame", "SecurityError");
  };
  for (const store of ["localStorage", "sessionStorage"]) Object.defineProperty(window, store, { get: none });
})();
