import type { Translator } from '@/app/_components/language';
import { mayChangeBookings, type Viewer } from '../../roles';
import { SECTIONS } from '../../shell/sections';

/** What a shortcut does. */
export type Action = { kind: 'page'; href: string } | { kind: 'search' } | { kind: 'palette' } | { kind: 'list' };

/** A shortcut as the list shows it: its keys, and a description of what it does. */
export type Shortcut = { keys: readonly string[]; label: string };

const LETTERS: Record<string, string> = {
  o: '/',
  a: '/applications',
  w: '/webhooks',
  r: '/requests',
  b: '/bookings',
  c: '/catalog',
};

/** Maximum number of milliseconds between `g` and the second key. */
export const PAUSE = 1_500;

const nameOf = (href: string) => SECTIONS.find((section) => section.href === href);

/** Returns the shortcuts of a member with this role. `mod` is the name of the platform's modifier key. */
export function shortcutsOf(t: Translator<'shell'>, role: Viewer, mod: string): Shortcut[] {
  const pages = Object.entries(LETTERS).flatMap(([letter, href]) => {
    const section = nameOf(href);
    if (!section?.roles.includes(role)) return [];
    return [{ keys: ['g', letter], label: t('shortcuts.goTo', { section: t(`sections.${section.name}`) }) }];
  });
  return [
    { keys: [mod, 'K'], label: t('shortcuts.everything') },
    { keys: ['/'], label: t('shortcuts.thisPage') },
    ...pages,
    ...(mayChangeBookings(role) ? [{ keys: ['n'], label: t('shortcuts.newBooking') }] : []),
    { keys: ['?'], label: t('shortcuts.list') },
  ];
}

/** The shortcuts of the booking calendar. They act on the booking that has the focus. */
export function calendarShortcutsOf(t: Translator<'shell'>, role: Viewer): Shortcut[] {
  if (!mayChangeBookings(role)) return [];
  return [
    { keys: ['m'], label: t('shortcuts.reschedule') },
    { keys: ['n'], label: t('shortcuts.newAfter') },
    { keys: ['↑', '↓', '←', '→'], label: t('shortcuts.another') },
  ];
}

type Press = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean };

/**
 * Reads a key press. `action` is the action of the shortcut that the key press completes; null if there is none.
 * `startsPair` says whether the key is the first key of a two-key shortcut.
 * @param afterG Whether the previous key press was `g`, less than `PAUSE` milliseconds earlier.
 */
export function readPress(press: Press, afterG: boolean, role: Viewer): { action: Action | null; startsPair: boolean } {
  const { key, ctrlKey, metaKey, altKey } = press;
  const done = (action: Action | null) => ({ action, startsPair: false });
  if (altKey) return done(null);
  if (ctrlKey || metaKey) return done(key.toLowerCase() === 'k' ? { kind: 'palette' } : null);
  if (afterG) {
    const href = LETTERS[key];
    return done(href !== undefined && nameOf(href)?.roles.includes(role) ? { kind: 'page', href } : null);
  }
  if (key === 'g') return { action: null, startsPair: true };
  if (key === 'n' && mayChangeBookings(role)) return done({ kind: 'page', href: '/bookings/new' });
  if (key === '/') return done({ kind: 'search' });
  return done(key === '?' ? { kind: 'list' } : null);
}
