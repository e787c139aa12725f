'use client';

import { useEffect, useMemo } from 'react';
import { useTranslations } from 'use-intl';

/** The text of the dialog that asks for confirmation before unsaved input is lost. */
export type Loss = { title: string; text: string; leave: string };

/** One entry for each form with unsaved input. The dialog shows the text for the form that was added last. */
const losses: Loss[] = [];

/** Set by `letGo`, and reset when no form with unsaved input remains on the page. */
let isLeaving = false;

/**
 * While `active` is true, asks for confirmation whenever the user tries to leave the page.
 * @param given The dialog's text. Default: that of a form with unsaved changes.
 */
export function useLeaveWarning(active: boolean, given?: Loss): void {
  const t = useTranslations('common.leave');
  const loss = useMemo(() => given ?? { title: t('title'), text: t('text'), leave: t('leave') }, [given, t]);
  useEffect(() => {
    if (!active) return;
    losses.push(loss);
    return () => {
      losses.splice(losses.indexOf(loss), 1);
      if (losses.length === 0) isLeaving = false;
    };
  }, [active, loss]);
}

/** Returns null if leaving the page would lose no input, or if the user has already confirmed leaving. */
export function lossNow(): Loss | null {
  return isLeaving ? null : (losses.at(-1) ?? null);
}

/**
 * Allows the user to leave the page without another confirmation. Called when the user has confirmed leaving, and when
 * the page is reloaded because the session has changed.
 */
export function letGo(): void {
  isLeaving = losses.length > 0;
}

/** If the user confirms leaving, calls `go`, which continues the interrupted navigation. */
type Ask = (loss: Loss, go: () => void) => void;

let asker: Ask | null = null;

/** Calls `go`, which leaves the page. If this would lose input, does so only after the user's confirmation. */
export function leaveBy(go: () => void): void {
  const loss = lossNow();
  if (loss && asker) asker(loss, go);
  else go();
}

/**
 * Intercepts every way to leave the page while leaving would lose input. Calls `ask` when the user follows a link to
 * another page of this site, or uses Back or Forward. While the browser is offline, links do nothing. When the user closes or reloads the tab, or opens another site,
 * the browser shows its own dialog instead. Returns a function that removes the event listeners.
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
    if (!link || !leavesHere(event, link) || (!loss && navigator.onLine)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // Offline, the browser would replace the page, and the input in it, by its own error page.
    if (loss && navigator.onLine) ask(loss, () => link.click());
  };
  // Listens in the capture phase, which runs before the router handles the click.
  window.addEventListener('click', onClick, true);
  return () => window.removeEventListener('click', onClick, true);
}

function leavesHere({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent, link: HTMLAnchorElement): boolean {
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return false;
  if (link.hasAttribute('download') || (link.target !== '' && link.target !== '_self')) return false;
  return link.origin === window.location.origin && link.pathname !== window.location.pathname;
}

type History = {
  currentEntry: { index: number } | null;
  addEventListener: (type: 'currententrychange', listener: (event: Event) => void) => void;
  removeEventListener: (type: 'currententrychange', listener: (event: Event) => void) => void;
};

/** Returns the index of the current history entry; undefined if the browser lacks the Navigation API. */
function placeNow(): number | undefined {
  return (window as { navigation?: History }).navigation?.currentEntry?.index;
}

/**
 * The browser fires `popstate` after it has moved in the history, so the move cannot be prevented. Instead, the listener
 * moves back before the router reacts, and repeats the move after the user has confirmed leaving.
 */
function holdHistory(ask: Ask): () => void {
  let [home, path] = [placeNow(), window.location.pathname];
  const settle = () => {
    [home, path] = [placeNow(), window.location.pathname];
  };
  // After a push or replace navigation, stores the new position and path. `onTraverse` handles Back and Forward.
  const onEntry = (event: Event) => {
    if ((event as Event & { navigationType?: string }).navigationType !== 'traverse') settle();
  };
  const onTraverse = (event: PopStateEvent) => {
    const loss = lossNow();
    const place = placeNow();
    // Without the Navigation API, the direction of the move is unknown, so the code assumes one step back.
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
