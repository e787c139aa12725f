'use client';

import { useLayoutEffect, useRef } from 'react';

// Maps the path of each page to a CSS selector of the element that last had focus on that page. After Back or
// Forward, `placeFocus` uses the selector to restore the focus.
const lastFocus = new Map<string, string>();

/** Maximum number of entries in `lastFocus`. A full map is cleared before the next entry is added. */
const MAX_PAGES = 50;

/** The path of the first page after the browser loaded the application; null until that page is shown. */
let firstPath: string | null = null;

/** Whether the user has left the first page. */
let hasNavigated = false;
let goesBack = false;

/**
 * Returns a CSS selector that still finds the element after its page is rendered again. Returns null if the element has
 * neither an `href` nor a `name` attribute.
 */
function selectorOf(element: Element): string | null {
  const href = element.getAttribute('href');
  if (href) return `main a[href="${CSS.escape(href)}"]`;
  const name = element.getAttribute('name');
  return name ? `main [name="${CSS.escape(name)}"]` : null;
}

/**
 * Records the last focused element of each page, and keeps the focus in a dialog when the user clicks its overlay.
 * Returns a function that ends both.
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

/**
 * Keeps the focus in a dialog when the user clicks its overlay. Some dialogs stay open after such a click, and would
 * otherwise lose the focus.
 */
function keepInDialog(event: MouseEvent): void {
  if (!(event.target instanceof Element)) return;
  if (event.target.matches('.mantine-Modal-inner, .mantine-Modal-overlay')) event.preventDefault();
}

/**
 * Moves the focus when a new page is shown. After Back or Forward, focuses the element that last had focus on this
 * page. Otherwise, or if that element no longer exists, focuses the page title. Does nothing until the user leaves the
 * first page. Also does nothing if an element, such as a navigation link, still has the focus.
 */
export function placeFocus(title: HTMLElement | null): void {
  const path = window.location.pathname;
  const selector = goesBack ? lastFocus.get(path) : undefined;
  firstPath ??= path;
  hasNavigated ||= path !== firstPath;
  goesBack = false;
  const isUnfocused = document.activeElement === document.body || document.activeElement?.id === 'content';
  if (!hasNavigated || !isUnfocused) return;
  const before = selector ? document.querySelector<HTMLElement>(selector) : null;
  if (before) before.focus();
  else title?.focus({ preventScroll: true });
}

/**
 * Restores the focus after the session dialog closes. Tries three targets in this order: `before`, an element in the
 * topmost dialog that the session dialog covered, and the page title. Does nothing if an element outside the session
 * dialog already has the focus.
 * @param before The element that had focus before the session dialog opened.
 * @param cover The content of the session dialog.
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
  return element instanceof HTMLElement && element.isConnected && !element.matches(':disabled, body');
}

/**
 * Restores the focus after a dialog closes. Focuses `opener` if it is still on the page and enabled, otherwise the page
 * title. Does nothing if an element outside of dialogs already has the focus.
 */
export function regainFocus(opener: Element | null): void {
  const holder = document.activeElement;
  // The closing dialog may still be in the document and contain the focused element, so focus in a dialog is ignored.
  // Focus on a disabled button is ignored too, because the button is about to lose it.
  if (holder && holder !== document.body && !holder.matches(':disabled') && !holder.closest('[role="dialog"]')) return;
  const target = canHaveFocus(opener) ? opener : document.querySelector<HTMLElement>('main h1');
  target?.focus();
}

/**
 * Restores the focus after a request. The button that starts the request is disabled during the request, and a disabled
 * button loses the focus. Focuses the button if it can be used again, otherwise the page title.
 */
export function useFocusAfterSave(pending: boolean): void {
  const opener = useRef<Element | null>(null);
  // Reads the focused button in a layout effect, which runs before the browser takes the focus from a disabled button.
  useLayoutEffect(() => {
    if (pending) {
      opener.current = document.activeElement;
      return;
    }
    if (!opener.current) return;
    const before = opener.current === document.body ? null : opener.current;
    opener.current = null;
    const frame = requestAnimationFrame(() => regainFocus(before));
    return () => cancelAnimationFrame(frame);
  }, [pending]);
}

/**
 * Returns the dialog properties that restore the focus after the dialog closes. Mantine restores the focus only if the
 * dialog was mounted before it opened, and if the element that had focus still exists.
 * @param keepNone Matters only if no element had the focus before the dialog opened. If false, the page title receives
 *   the focus after the dialog closes. If true, the page title receives it only if the user has gone to another page.
 *   Set `keepNone` for dialogs that a keyboard shortcut opens. Do not set it for a dialog whose button can be disabled:
 *   such a button loses the focus before the dialog opens.
 */
export function useFocusAfterDialog(opened: boolean, keepNone = false) {
  const before = useRef<{ element: Element | null; path: string } | null>(null);
  useLayoutEffect(() => {
    if (opened) before.current = { element: document.activeElement, path: window.location.pathname };
  }, [opened]);
  const restore = () => {
    const { element = null, path } = before.current ?? {};
    const hadNone = element === document.body && path === window.location.pathname;
    if (!keepNone || !hadNone) regainFocus(element);
  };
  return { returnFocus: false, onExitTransitionEnd: restore };
}
