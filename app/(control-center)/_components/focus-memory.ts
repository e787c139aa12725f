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
  document.addEventListener('mousedown', keepInDialog);
  window.addEventListener('popstate', onTraverse);
  return () => {
    document.removeEventListener('mousedown', keepInDialog);
    document.removeEventListener('focusin', onFocus);
    window.removeEventListener('popstate', onTraverse);
  };
}

/** A click beside a dialog takes the focus nowhere: where the dialog stays, it stays in it. */
function keepInDialog(event: MouseEvent): void {
  if (!(event.target instanceof Element)) return;
  if (event.target.matches('.mantine-Modal-inner, .mantine-Modal-overlay')) event.preventDefault();
}

/**
 * Gives the focus a place on a page that was just shown: where it was before when one came back, else the title. What
 * still has the focus, such as the navigation beside the page, keeps it; and on the first page of a visit it begins at the top.
 */
export function placeFocus(title: HTMLElement | null): void {
  const isFirst = !hasArrived;
  const wasLeft = goesBack ? left.get(window.location.pathname) : undefined;
  hasArrived = true;
  goesBack = false;
  const isNowhere = document.activeElement === document.body || document.activeElement?.id === 'content';
  if (isFirst || !isNowhere) return;
  const before = wasLeft ? document.querySelector<HTMLElement>(wasLeft) : null;
  if (before) before.focus();
  else title?.focus({ preventScroll: true });
}

/**
 * Gives the focus back after `cover`, which lay over the page and its dialogs: to `before` while that can have it, else
 * to the dialog that is open, else to the title. Whatever took the focus meanwhile keeps it.
 */
export function takeBackFocus(before: Element | null, cover: Element | null): void {
  const holder = document.activeElement;
  if (holder && holder !== document.body && !cover?.contains(holder)) return;
  const dialogs = [...document.querySelectorAll('[role="dialog"]')].filter((dialog) => !dialog.contains(cover));
  const within = dialogs.at(-1)?.querySelector<HTMLElement>('[data-autofocus], input, button');
  const target = canHaveFocus(before) ? before : (within ?? document.querySelector<HTMLElement>('main h1'));
  target?.focus({ preventScroll: true });
}

function canHaveFocus(element: Element | null): element is HTMLElement {
  return element instanceof HTMLElement && element.isConnected && !element.matches(':disabled');
}

/**
 * Gives the focus back after a dialog: to `opener` while that is there, else to the title. Whatever of the page took it
 * meanwhile keeps it.
 */
export function regainFocus(opener: Element | null): void {
  const holder = document.activeElement;
  // The dialog that is going may still be in the document, and in it what had the focus.
  if (holder && holder !== document.body && !holder.closest('[role="dialog"]')) return;
  const target = canHaveFocus(opener) ? opener : document.querySelector<HTMLElement>('main h1');
  target?.focus();
}
