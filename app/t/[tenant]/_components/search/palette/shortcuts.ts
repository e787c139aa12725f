import { mayChangeBookings, type Viewer } from '../../roles';
import { SECTIONS } from '../../shell/sections';

/**
 * What a shortcut does: opens a page, focuses the page's search field, opens the palette, or opens the shortcut list.
 */
export type Action = { kind: 'page'; href: string } | { kind: 'search' } | { kind: 'palette' } | { kind: 'list' };

/** A shortcut as the list shows it: its keys, and a description of what it does. */
export type Shortcut = { keys: readonly string[]; label: string };

/** Maps each letter to the section that opens when the user presses `g` and then the letter. */
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
export function shortcutsOf(role: Viewer, mod: string): Shortcut[] {
  const pages = Object.entries(LETTERS).flatMap(([letter, href]) => {
    const section = nameOf(href);
    return section?.roles.includes(role) ? [{ keys: ['g', letter], label: `Go to ${section.label}` }] : [];
  });
  return [
    { keys: [mod, 'K'], label: 'Search everything' },
    { keys: ['/'], label: 'Search this page' },
    ...pages,
    ...(mayChangeBookings(role) ? [{ keys: ['n'], label: 'New booking' }] : []),
    { keys: ['?'], label: 'Show the keyboard shortcuts' },
  ];
}

/** The shortcuts of the booking calendar. They act on the booking that has the focus. */
export function calendarShortcutsOf(role: Viewer): Shortcut[] {
  if (!mayChangeBookings(role)) return [];
  return [
    { keys: ['m'], label: 'Reschedule the booking' },
    { keys: ['n'], label: 'New booking after the booking' },
    { keys: ['↑', '↓', '←', '→'], label: 'Select another booking' },
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
