// Maps the path of each page to a selector of its last focused element, so that Back can restore the focus.
const lastFocus = new Map<string, string>();

/** Maximum number of entries in `lastFocus`. When it is reached, all entries are removed. */
const MAX_PAGES = 50;

let hasArrived = false;
let goesBack = false;

/**
 * Returns a selector that still finds the element after its page renders again; null if it has neither `href` nor
 * `name`.
 */
function selectorOf(element: Element): string | null {
  const href = element.getAttribute('href');
  if (href) return `main a[href="${CSS.escape(href)}"]`;
  const name = element.getAttribute('name');
  return name ? `main [name="${CSS.escape(name)}"]` : null;
}

/**
 * Records the last focused element of each page, and keeps the focus in open dialogs. Returns a function that stops
 * both.
 */
export function rememberFocus(): () => void {
  const onFocus = ({ target }: FocusEvent) => {
    const selector = target instanceof Element ? selectorOf(target) : null;
    if (!selector) return;
    if (lastFocus.size >= MAX_PAGES) lastFocus.clear();
    lastFocus.set(window.location.pathname, selector);
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

/** Keeps the focus in a dialog when its overlay is clicked, because some dialogs stay open then. */
function keepInDialog(event: MouseEvent): void {
  if (!(event.target instanceof Element)) return;
  if (event.target.matches('.mantine-Modal-inner, .mantine-Modal-overlay')) event.preventDefault();
}

/**
 * Moves the focus on a newly shown page: after Back or Forward to the page's last focused element, otherwise to its
 * title. Does nothing if an element still has the focus, such as a navigation link, or on the first page of a visit.
 */
export function placeFocus(title: HTMLElement | null): void {
  const isFirst = !hasArrived;
  const selector = goesBack ? lastFocus.get(window.location.pathname) : undefined;
  hasArrived = true;
  goesBack = false;
  const isUnfocused = document.activeElement === document.body || document.activeElement?.id === 'content';
  if (isFirst || !isUnfocused) return;
  const before = selector ? document.querySelector<HTMLElement>(selector) : null;
  if (before) before.focus();
  else title?.focus({ preventScroll: true });
}

/**
 * Restores the focus after a dialog with the content `cover` closes. That dialog can cover other dialogs. Focuses
 * `before` if possible, else the topmost open dialog, else the page title. Does nothing if an element outside of
 * `cover` already has the focus.
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
 * Restores the focus after a dialog closes. Focuses `opener` if possible, else the page title. Does nothing if an
 * element outside of dialogs already has the focus.
 */
export function regainFocus(opener: Element | null): void {
  const holder = document.activeElement;
  // The closing dialog may still be in the document and hold the focus.
  if (holder && holder !== document.body && !holder.closest('[role="dialog"]')) return;
  const target = canHaveFocus(opener) ? opener : document.querySelector<HTMLElement>('main h1');
  target?.focus();
}
