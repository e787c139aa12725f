import { expect, test } from 'vitest';
import { findPages } from '@/app/t/[tenant]/_components/search/palette/pages';
import { calendarShortcutsOf, readPress, shortcutsOf } from '@/app/t/[tenant]/_components/search/palette/shortcuts';
import { LANGUAGES } from '@/lib/platform/text/languages';
import { translatorFor } from '@/tests/support/messages';

const t = translatorFor('en', 'shell');
const press = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });
const act = (key: string, more = {}) => readPress(press(key, more), false, 'OWNER').action;

test('a key, or a pair of keys, has one action', () => {
  expect(act('k', { ctrlKey: true })).toEqual({ kind: 'palette' });
  expect(act('K', { metaKey: true })).toEqual({ kind: 'palette' });
  expect(act('/')).toEqual({ kind: 'search' });
  expect(act('?')).toEqual({ kind: 'list' });
  expect(readPress(press('g'), false, 'OWNER')).toEqual({ action: null, startsPair: true });
  for (const [letter, href] of Object.entries({ r: '/requests', b: '/bookings', a: '/applications', w: '/webhooks' }))
    expect(readPress(press(letter), true, 'OWNER').action).toEqual({ kind: 'page', href });
  for (const key of ['r', 'k', 'Enter']) expect(act(key)).toBeNull();
  expect(act('r', { ctrlKey: true })).toBeNull();
  expect(act('/', { altKey: true })).toBeNull();
});

test('shortcuts and pages follow the role', () => {
  for (const letter of ['r', 'w']) expect(readPress(press(letter), true, 'FRONT_DESK').action).toBeNull();
  expect(findPages(t, 'FRONT_DESK', 'webhooks')).toEqual([]);
  expect(findPages(t, 'SUPPORT', 'webh')).toMatchObject([{ href: '/webhooks' }]);
  expect(shortcutsOf(t, 'SUPPORT', 'Ctrl')).toContainEqual({ keys: ['g', 'w'], label: 'Go to Webhooks' });
  expect(readPress(press('b'), true, 'FRONT_DESK').action).toEqual({ kind: 'page', href: '/bookings' });
  const keys = shortcutsOf(t, 'FRONT_DESK', 'Ctrl').map((shortcut) => shortcut.keys.join(' '));
  expect(keys).toEqual(['Ctrl K', '/', 'g b', 'g c', 'n', '?']);
  expect(LANGUAGES.map((language) => translatorFor(language, 'shell')('shortcuts.control'))).toEqual([
    ...['Ctrl', 'Strg', 'Ctrl', 'Ctrl'],
  ]);
  expect(readPress(press('n'), false, 'FRONT_DESK').action).toEqual({ kind: 'page', href: '/bookings/new' });
  expect(readPress(press('n'), false, 'SUPPORT').action).toBeNull();
  expect(findPages(t, 'FRONT_DESK', 'new').map(({ label }) => label)).toEqual(['New booking']);
  // A front desk that is limited to locations sees only bookings.
  expect(findPages(t, 'LIMITED_DESK', '').map(({ href }) => href)).toEqual([
    ...['/bookings', '/bookings/new', '/bookings/day', '/bookings/week', '/account'],
  ]);
  expect(readPress(press('c'), true, 'LIMITED_DESK').action).toBeNull();
  expect(calendarShortcutsOf(t, 'FRONT_DESK').map((shortcut) => shortcut.keys[0])).toContain('m');
  expect(calendarShortcutsOf(t, 'SUPPORT')).toEqual([]);
  expect(findPages(t, 'OWNER', 'new serv').map(({ label }) => label)).toEqual(['New service']);
  expect(findPages(t, 'SUPPORT', 'team')).toEqual([]);
});
