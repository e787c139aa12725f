'use client';

import { type RefObject, useLayoutEffect, useRef } from 'react';

/** The path of the first page after the browser loaded the application; null until that page is shown. */
let firstPath: string | null = null;

let hasNavigated = false;

/** Milliseconds after the title of a page is shown in which the browser restores the scroll position. */
const RESTORED_WITHIN = 1_000;

/**
 * Focuses the page title when a new page is shown. Does nothing until the user leaves the first page, or if an element,
 * such as a navigation link, still has the focus.
 */
export function placeFocus(title: HTMLElement | null): void {
  const path = window.location.pathname;
  firstPath ??= path;
  hasNavigated ||= path !== firstPath;
  const isUnfocused = document.activeElement === document.body || document.activeElement?.id === 'content';
  if (!hasNavigated || !isUnfocused) return;
  title?.focus({ preventScroll: true });
  if (!title?.matches(':focus-visible')) return;
  // After a return to a page, the browser restores its scroll position, and the header can cover the title. With a
  // keyboard, the focus must be visible. With a pointer, the position matters more.
  const show = () => document.activeElement === title && title.scrollIntoView({ block: 'nearest' });
  window.addEventListener('scroll', show, { once: true, signal: AbortSignal.timeout(RESTORED_WITHIN) });
}

/**
 * Restores a lost focus: to `opener` if it is still on the page and enabled, otherwise to the topmost open dialog,
 * otherwise to the page title. Does nothing if an element has the focus.
 */
export function regainFocus(opener: Element | null = null): void {
  const holder = document.activeElement;
  // A disabled button is about to lose the focus.
  if (holder && holder !== document.body && !holder.matches(':disabled')) return;
  const dialog = [...document.querySelectorAll('[role="dialog"]')].at(-1);
  const target =
    opener instanceof HTMLElement && opener.isConnected && !opener.matches(':disabled, body')
      ? opener
      : (dialog ?? document).querySelector<HTMLElement>(dialog ? '[data-autofocus], input, button' : 'main h1');
  target?.focus();
}

/**
 * Restores the focus after a request. The button that starts the request is disabled during the request, and a disabled
 * button loses the focus. Focuses the first invalid field in `fields`; if there is none, the button if it can be used
 * again, otherwise the page title.
 */
export function useFocusAfterSave(pending: boolean, fields: RefObject<HTMLElement | null>): void {
  const opener = useRef<Element | null>(null);
  // Reads the focused button in a layout effect, which runs before the browser takes the focus from a disabled button.
  useLayoutEffect(() => {
    if (pending) {
      opener.current = document.activeElement;
      return;
    }
    if (!opener.current) return;
    const before = opener.current;
    opener.current = null;
    const frame = requestAnimationFrame(() => {
      const invalid = fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
      // After a fast answer, the browser has not yet taken the focus away.
      if (invalid && document.activeElement === before) invalid.focus();
      else regainFocus(invalid ?? before);
    });
    return () => cancelAnimationFrame(frame);
  }, [pending, fields]);
}
