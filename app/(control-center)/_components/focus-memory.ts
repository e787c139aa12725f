// Where the focus was on each page that was left, by address: going back returns to it.
const left = new Map<string, string>();

/** Addresses that are remembered at most. */
const MAX_PAGES = 50;

let hasArrived = false;
let goesBack = false;

/** Returns what finds an element again after its page was left and rendered anew; null when nothing does. */
function selectorOf(element: Element): string | null {
  const href = element.getAttribute('href');
  if (href) return `main a[href="${CSS.escape(href)}"]`;
  const name = element.getAttribute('name');
  return name ? `main [name="${CSS.escape(name)}"]` : null;
}

/** Remembers the last focus of each page; returns what ends that. */
export function rememberFocus(): () => void {
  const onFocus = ({ target }: FocusEvent) => {
    const selector = target instanceof Element ? selectorOf(target) : null;
    if (!selector) return;
    if (left.size >= MAX_PAGES) left.clear();
    left.set(window.location.pathname, selector);
  };
  const onTraverse = () => {
    goesBack = true;
  };
  document.addEventListener('focusin', onFocus);
  window.addEventListener('popstate', onTraverse);
  return () => {
    document.removeEventListener('focusin', onFocus);
    window.removeEventListener('popstate', onTraverse);
  };
}

/**
 * Gives the focus a place on a page that was just shown: where it was before when one came back, else the title. What
 * still has the focus, such as the navigation, keeps it; and on the first page of a visit it begins at the top.
 */
export function placeFocus(title: HTMLElement | null): void {
  const isFirst = !hasArrived;
  const wasLeft = goesBack ? left.get(window.location.pathname) : undefined;
  hasArrived = true;
  goesBack = false;
  if (isFirst || document.activeElement !== document.body) return;
  const before = wasLeft ? document.querySelector<HTMLElement>(wasLeft) : null;
  if (before) before.focus();
  else title?.focus({ preventScroll: true });
}

/**
 * Gives the focus back after a dialog: to `opener` while that is there, else to the title. Whatever of the page took it
 * meanwhile keeps it.
 */
export function regainFocus(opener: Element | null): void {
  const holder = document.activeElement;
  // The dialog that is going may still be in the document, and in it what had the focus.
  if (holder && holder !== document.body && !holder.closest('[role="dialog"]')) return;
  const isThere = opener instanceof HTMLElement && opener.isConnected && !opener.matches(':disabled');
  const target = isThere ? opener : document.querySelector<HTMLElement>('main h1');
  target?.focus();
}
