import { beforeAll, expect, test } from 'vitest';
import { compose } from '@/lib/activity/mail/deliver';
import type { Facts, MailKind } from '@/lib/activity/mail/facts';
import { NOTICE_KINDS } from '@/lib/activity/mail/kinds';
import { mailLanguage, textOf } from '@/lib/activity/mail/texts';
import { refusalOf, unsubscribeUrl } from '@/lib/activity/mail/unsubscribe';
import { stepOf } from '@/lib/operations/notices';
import { newId } from '@/lib/platform/ids';
import { isSmtpUrl, parseSmtpUrl } from '@/lib/platform/smtp-url';
import { LANGUAGES } from '@/lib/platform/text/languages';
import { beginFile } from '@/tests/support/fresh-process';

beforeAll(() => {
  const secret = { SECRET_KEY: 'a secret for tests only, never deployed' };
  beginFile({ ...secret, DATABASE_URL: 'postgresql://unused/a', PUBLIC_ORIGIN: 'https://booking.example' });
});

const at = new Date('2026-12-05T09:05:00Z');
const url = 'https://booking.example/x';
const business = 'Salon "Süd" <b>';

const FACTS: { [Kind in MailKind]: Facts[Kind] } = {
  invitation: { business, inviter: 'Olivia', url, endsAt: at },
  password_link: { url },
  address_link: { url },
  new_sign_in: { network: '192.0.2.1', browser: 'Firefox (Linux)', at },
  account_changed: { change: 'user.second_factor_removed', at },
  test: { origin: 'https://booking.example' },
  endpoint_failing: { business, application: 'Partner', url },
  endpoint_disabled: { business, application: 'Partner', reason: 'gone', url },
  key_expiry: { business, application: 'Partner', key: 'Main (…aB3z)', endsAt: at, days: 3, url },
  application_errors: { business, application: 'Partner', requests: 40, errors: 12, url },
  calendar_unreadable: { business, calendar: 'Private', whose: 'Ayla', hours: 2, blocks: false, url },
  not_bookable: { business, kind: 'specialist', name: 'Ayla', reason: 'no_hours', url },
  moved_bookings: { business, count: 2, rules: '2027a', url },
  backup_overdue: { lastAt: new Date('2026-11-22T10:00:00Z'), url },
  overlaps: { business, count: 1, url },
  daily_summary: { business, day: '2026-12-04', created: 3, requests: 120, failed: 2, url },
};

const MAILS = LANGUAGES.flatMap((language) =>
  (Object.keys(FACTS) as MailKind[]).map((kind) => [kind, language] as const),
);

test.each(MAILS)('a mail of the kind %s in %s has a subject, text, and HTML', async (kind, language) => {
  const text = { ...textOf<MailKind>(language, kind, FACTS[kind]), language };
  expect(text.subject).toMatch(/^[^\n]{5,150}$/);
  expect(text.lines.join(' ')).not.toMatch(/undefined|null|NaN|Invalid/);
  const userId = newId('usr');
  const ids = { id: newId('mal'), tenantId: newId('ten'), userId, email: 'a@b.example', createdAt: at };
  const raw = (await compose({ ...ids, kind, text }, 'booking@platform.example')).toString();
  expect(raw).toContain('Date: Sat, 05 Dec 2026 09:05:00 +0000');
  expect(raw).toMatch(/text\/plain[\s\S]*text\/html/);
  expect(raw).toContain(`<html lang=3D"${language}">`);
  const isNotice = (NOTICE_KINDS as readonly string[]).includes(kind);
  expect(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m.test(raw)).toBe(isNotice);
});

test('texts of a person cannot add lines or markup', async () => {
  const text = textOf('en', 'endpoint_failing', { business, application: 'A\r\nBcc: x@y.example\u2028', url });
  expect(text.subject).toBe('Webhook endpoint of A Bcc: x@y.example  is failing');
  const ids = { id: newId('mal'), tenantId: null, userId: null, email: 'a@b.example', createdAt: at };
  const raw = (await compose({ ...ids, kind: 'endpoint_failing', text }, 'a@b.example')).toString();
  expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).not.toMatch(/^Bcc:/m);
  const html = raw.slice(raw.indexOf('text/html')).replaceAll('=\r\n', '');
  expect(html).toContain('&lt;b&gt;');
  expect(html).not.toContain('<b>');
  const facts = { ...FACTS.calendar_unreadable, whose: 'A\r\nhttps://evil.example\u2028' };
  expect(textOf('en', 'calendar_unreadable', facts).link?.text).toBe('Open A https://evil.example ');
});

test('a person gets mails in the chosen language, or else in that of the business', () => {
  expect(['de-CH', 'FR', 'es', 'nl', null].map(mailLanguage)).toEqual(['de', 'fr', 'es', 'en', 'en']);
  expect(textOf('de', 'key_expiry', FACTS.key_expiry).subject).toBe('Ein Schlüssel von Partner läuft in 3 Tagen ab');
});

test('the times are those of UTC, and do not depend on the locale', () => {
  expect(textOf('en', 'key_expiry', FACTS.key_expiry).lines[0]).toContain('Dec 5, 2026, 09:05 UTC');
  expect(textOf('en', 'key_expiry', { ...FACTS.key_expiry, days: 0 }).subject).toBe('A key of Partner has expired');
});

test('a link that refuses mails works only as it was signed', () => {
  const refusal = { userId: newId('usr'), kind: 'key_expiry' } as const;
  const token = new URL(unsubscribeUrl(refusal)).searchParams.get('token') ?? '';
  expect(refusalOf(token)).toEqual(refusal);
  for (const other of [
    '',
    token.slice(0, -1),
    `${token}.x`,
    token.replace('key_expiry', 'overlaps'),
    token.replace('key_expiry', 'invitation'),
    token.replace(refusal.userId, newId('usr')),
    'x'.repeat(100_000),
  ])
    expect(refusalOf(other)).toBeNull();
});

const DAY = 86_400_000;
const days = (count: number) => new Date(at.getTime() + count * DAY);

test.each([
  [31, 0, null],
  [30, -100, 30],
  [20, -100, 30],
  [14, -100, 14],
  [3, -100, 3],
  [0.1, -100, 3],
  [0, -100, 0],
  [-2, -100, 0],
  // A key that was issued for 7 days says nothing at 14 and 30.
  [6, -1, null],
  [3, -4, 3],
])('a key that ends in %s days and was issued on day %s is at step %s', (ends, issued, step) => {
  expect(stepOf(at, days(issued), days(ends))).toBe(step);
});

test.each([
  ['smtp://mail.example', { host: 'mail.example', port: 587, tls: 'starttls', user: null, password: null }],
  ['smtps://u%40x:p%3Aw@mail.example', { port: 465, tls: 'implicit', user: 'u@x', password: 'p:w' }],
  ['smtp://127.0.0.1:1025', { port: 1025, tls: 'off', isLoopback: true }],
  ['smtp://[::1]:25/', { host: '::1', tls: 'off' }],
  ['smtp://localhost:25?starttls=required', { tls: 'starttls' }],
  ['smtp://relay.example?starttls=off', { tls: 'off', isLoopback: false }],
])('the URL %s is understood', (text, expected) => {
  expect(isSmtpUrl(text)).toBe(true);
  expect(parseSmtpUrl(text)).toMatchObject(expected);
});

test.each([
  'mail.example',
  'http://mail.example',
  'smtp://',
  'smtp://mail.example/path',
  'smtp://mail.example?tls=no',
  'smtp://mail.example?starttls=maybe',
  'smtps://mail.example?starttls=off',
  'smtp://u:%ZZ@mail.example',
  'smtp://mail.example#x',
])('the URL %s is refused', (text) => {
  expect(isSmtpUrl(text)).toBe(false);
});
