/** Live state: what carries `data-live` is read again from the same page while somebody looks at it. */
const EVERY_MS = 20_000;
/** Reading again prolongs the session, so a page that nobody touches for so long rests. */
const REST_AFTER_MS = 600_000;

let touched = Date.now();
for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart', 'visibilitychange'])
  document.addEventListener(event, () => (touched = Date.now()), { capture: true, passive: true });

const refresh = async () => {
  if (document.hidden || Date.now() - touched >= REST_AFTER_MS) return;
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null);
  // An ended session redirects to another page; this one stays as it is.
  if (answer === null || !answer.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const shown of document.querySelectorAll('[data-live]')) {
    const next = fresh.querySelector(`[data-live="${CSS.escape(shown.dataset.live)}"]`);
    if (next !== null && next.innerHTML !== shown.innerHTML && !shown.contains(document.activeElement))
      shown.replaceChildren(...next.childNodes);
  }
};

if (document.querySelector('[data-live]') !== null) setInterval(refresh, EVERY_MS);
