'use client';

import { useEffect } from 'react';

/** What is lost with a page that is left, and the words that ask for it. */
export type Loss = { title: string; text: string; leave: string };

/** A form that was changed and not saved. */
export const UNSAVED: Loss = {
  title: 'Leave without saving?',
  text: 'What you changed on this page is not saved. It is lost when you leave.',
  leave: 'Leave without saving',
};

/** What stands to be lost on the page; the newest is asked for. */
const losses: Loss[] = [];

/** Somebody has said to go: nothing is asked again until the page is gone. */
let isLeaving = false;

/** Asks before the page is left, by whichever way, while `active`: something would be lost. */
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

/** Returns what would be lost now; null when nothing would, or when it was said to be. */
export function lossNow(): Loss | null {
  return isLeaving ? null : (losses.at(-1) ?? null);
}

/** From here on the page may be left: it was asked, or what is on it is not for who is in front of it. */
export function letGo(): void {
  isLeaving = losses.length > 0;
}

/** Called with what is lost and the way to go on, which was held. */
type Ask = (loss: Loss, go: () => void) => void;

let asker: Ask | null = null;

/** Goes off the page by a way of one's own, after asking when something would be lost. */
export function leaveBy(go: () => void): void {
  const loss = lossNow();
  if (loss && asker) asker(loss, go);
  else go();
}

/**
 * Holds every way off the page while something would be lost: a link, Back and Forward, closing the tab. `ask` is called
 * for those that a page can hold; the browser asks for the others itself. Returns what ends that.
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
  // Before the router sees it.
  window.addEventListener('click', onClick, true);
  return () => window.removeEventListener('click', onClick, true);
}

/** Whether a click takes this page, and not another tab or another place of it, to somewhere the router goes. */
function leavesHere({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent, link: HTMLAnchorElement): boolean {
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return false;
  if (link.hasAttribute('download') || (link.target !== '' && link.target !== '_self')) return false;
  return link.origin === window.location.origin && link.pathname !== window.location.pathname;
}

/** Of the Navigation API, what tells how far a step through the history went. */
type History = {
  currentEntry: { index: number } | null;
  addEventListener: (type: 'currententrychange', listener: (event: Event) => void) => void;
  removeEventListener: (type: 'currententrychange', listener: (event: Event) => void) => void;
};

/** Returns the place in the history; undefined where the browser does not tell it. */
function placeNow(): number | undefined {
  return (window as { navigation?: History }).navigation?.currentEntry?.index;
}

/**
 * Back and Forward cannot be refused: by the time a page hears of one, it has happened. It is undone before the router
 * hears of it, so the page stays, the history stays whole, and no entry of ours is ever left in it.
 */
function holdHistory(ask: Ask): () => void {
  let [home, path] = [placeNow(), window.location.pathname];
  const settle = () => {
    [home, path] = [placeNow(), window.location.pathname];
  };
  // A push or a replacement is a new place to stay at; Back and Forward are judged below.
  const onEntry = (event: Event) => {
    if ((event as Event & { navigationType?: string }).navigationType !== 'traverse') settle();
  };
  const onTraverse = (event: PopStateEvent) => {
    const loss = lossNow();
    const place = placeNow();
    // Without a number most steps are one back.
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
