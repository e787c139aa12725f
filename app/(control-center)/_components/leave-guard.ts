'use client';

import { useEffect } from 'react';

/** The text of the dialog that asks before unsaved input is lost. */
export type Loss = { title: string; text: string; leave: string };

/** A form with unsaved changes. */
export const UNSAVED: Loss = {
  title: 'Leave without saving?',
  text: 'Your changes on this page will be lost.',
  leave: 'Leave without saving',
};

/** The forms with unsaved changes; the dialog is about the newest one. */
const losses: Loss[] = [];

/** Whether the user confirmed leaving; no further dialog opens until the page is left. */
let isLeaving = false;

/** Asks for confirmation before the page is left, however that happens, while `active`. */
export function useLeaveWarning(active: boolean, loss: Loss = UNSAVED): void {
  useEffect(() => {
    if (!active) return;
    losses.push(loss);
    return () => {
      losses.splice(losses.indexOf(loss), 1);
      if (losses.length === 0) isLeaving = false;
    };
  }, [active, loss]);
}

/** Returns what would be lost now; null when nothing would be or leaving is confirmed. */
export function lossNow(): Loss | null {
  return isLeaving ? null : (losses.at(-1) ?? null);
}

/** Lets the page be left without asking: leaving is confirmed, or the user changed. */
export function letGo(): void {
  isLeaving = losses.length > 0;
}

/** Receives what would be lost and a function that continues the interrupted navigation. */
type Ask = (loss: Loss, go: () => void) => void;

let asker: Ask | null = null;

/** Calls `go`, which leaves the page, after confirmation if something would be lost. */
export function leaveBy(go: () => void): void {
  const loss = lossNow();
  if (loss && asker) asker(loss, go);
  else go();
}

/**
 * Intercepts every way to leave the page while something would be lost: links, Back and Forward, closing the tab. Calls
 * `ask` where a page can prevent the navigation; otherwise the browser asks. Returns a function that stops intercepting.
 */
export function holdLeaving(ask: Ask): () => void {
  asker = ask;
  const stops = [holdUnload(), holdLinks(ask), holdHistory(ask)];
  return () => {
    for (const stop of stops) stop();
    asker = null;
  };
}

function holdUnload(): () => void {
  const onUnload = (event: BeforeUnloadEvent) => {
    if (lossNow()) event.preventDefault();
  };
  window.addEventListener('beforeunload', onUnload);
  return () => window.removeEventListener('beforeunload', onUnload);
}

function holdLinks(ask: Ask): () => void {
  const onClick = (event: MouseEvent) => {
    const loss = lossNow();
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!loss || !link || !leavesHere(event, link)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    ask(loss, () => link.click());
  };
  // In the capture phase, before the router handles the click.
  window.addEventListener('click', onClick, true);
  return () => window.removeEventListener('click', onClick, true);
}

/** Returns whether a click on a link makes the router leave this page. */
function leavesHere({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent, link: HTMLAnchorElement): boolean {
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return false;
  if (link.hasAttribute('download') || (link.target !== '' && link.target !== '_self')) return false;
  return link.origin === window.location.origin && link.pathname !== window.location.pathname;
}

/** The part of the Navigation API that gives the position in the history. */
type History = {
  currentEntry: { index: number } | null;
  addEventListener: (type: 'currententrychange', listener: (event: Event) => void) => void;
  removeEventListener: (type: 'currententrychange', listener: (event: Event) => void) => void;
};

/** Returns the position in the history; undefined where the browser lacks the Navigation API. */
function placeNow(): number | undefined {
  return (window as { navigation?: History }).navigation?.currentEntry?.index;
}

/**
 * Back and Forward cannot be prevented: `popstate` fires after the traversal. The traversal is undone before the router
 * handles it, so the page and the history stay unchanged.
 */
function holdHistory(ask: Ask): () => void {
  let [home, path] = [placeNow(), window.location.pathname];
  const settle = () => {
    [home, path] = [placeNow(), window.location.pathname];
  };
  // Pushes and replacements move the current position; traversals are handled below.
  const onEntry = (event: Event) => {
    if ((event as Event & { navigationType?: string }).navigationType !== 'traverse') settle();
  };
  const onTraverse = (event: PopStateEvent) => {
    const loss = lossNow();
    const place = placeNow();
    // Without a position, assume one step back.
    const away = place === undefined || home === undefined ? -1 : place - home;
    const isHome = place === undefined ? window.location.pathname === path : away === 0;
    if (!loss || (window.location.pathname === path && !isHome)) return settle();
    event.stopImmediatePropagation();
    if (isHome) return;
    window.history.go(-away);
    ask(loss, () => window.history.go(away));
  };
  const { navigation } = window as { navigation?: History };
  navigation?.addEventListener('currententrychange', onEntry);
  window.addEventListener('popstate', onTraverse, true);
  return () => {
    navigation?.removeEventListener('currententrychange', onEntry);
    window.removeEventListener('popstate', onTraverse, true);
  };
}
