import { expect, test } from 'vitest';
import { toWords } from '@/app/t/[tenant]/audit/_components/format';
import * as sentence from '@/app/t/[tenant]/audit/_components/sentence';
import * as targets from '@/app/t/[tenant]/audit/_components/targets';
import { linesOf } from '@/app/t/[tenant]/audit/_components/values';
import { LANGUAGES } from '@/lib/platform/text/languages';
import { auditTexts } from '@/tests/support/audit-texts';

type Change = Parameters<typeof sentence.sentenceOf>[1];
type Named = Parameters<typeof targets.objectName>[1];

const ENGLISH = auditTexts('en');
const TEXTS = LANGUAGES.map(auditTexts);
const sentenceOf = (change: Change) => sentence.sentenceOf(ENGLISH, change);
const objectName = (change: Named, names?: ReadonlyMap<string, string>) => targets.objectName(ENGLISH, change, names);

const service = { object_kind: 'service', object_id: 'svc_1', object_name: 'Haircut', before: null, after: null };
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const updated = (before: object, after: object) =>
  sentenceOf({ ...service, action: 'service.updated', before: { ...before }, after: { ...after } });

test('a changed price names the price before and after', () => {
  expect(updated({ price: eur(16_500) }, { price: eur(17_500) })).toBe(
    'raised the price of Haircut from €165.00 to €175.00',
  );
  expect(updated({ price: eur(900) }, { price: eur(0) })).toBe('lowered the price of Haircut from €9.00 to €0.00');
  expect(updated({ price: null }, { price: eur(900) })).toBe('set the price of Haircut to €9.00');
  expect(updated({ price: eur(900) }, { price: null })).toBe('removed the price of Haircut');
  const yen = { amount: 900, currency: 'JPY' };
  expect(updated({ price: eur(900) }, { price: yen })).toBe('changed the price of Haircut from €9.00 to ¥900');
});

test('an export names the number of rows once it has ended', () => {
  const requests = { ...service, action: 'requests.exported', object_kind: 'request_log', object_name: null };
  expect(sentenceOf({ ...requests, after: { rows: 1204, result: 'complete' } })).toBe('exported 1,204 requests');
  expect(sentenceOf({ ...requests, after: { period: '24h' } })).toBe('started an export of requests');
  expect(sentenceOf({ ...requests, action: 'audit.exported', after: { rows: 1 } })).toBe('exported 1 change');
});

test('other changes name the object and the changed fields', () => {
  expect(updated({ capacity: 1, name: { en: 'A' } }, { capacity: 2, name: { en: 'B' } })).toBe(
    'changed the capacity and name of Haircut',
  );
  expect(sentenceOf({ ...service, action: 'service.published' })).toBe('published the service Haircut');
  const application = { ...service, object_kind: 'application', object_name: 'Partner $&' };
  expect(sentenceOf({ ...application, action: 'application.suspended' })).toBe('suspended Partner $&');
  expect(sentenceOf({ ...application, action: 'key.issued', object_name: null })).toBe('issued the key svc_1');
  const booking = { ...service, object_kind: 'booking', object_id: 'pbr_1', object_name: null };
  expect(sentenceOf({ ...booking, action: 'booking.found_by_phone' })).toBe('found booking pbr_1 by phone number');
  expect(sentenceOf({ ...application, action: 'something.else_new' })).toBe('something else new: Partner $&');
});

test('actions and fields are words in American spelling', () => {
  expect(['policy_changed', 'booking.cancelled', 'cancelled_by'].map(toWords)).toEqual([
    'policy changed',
    'booking canceled',
    'canceled by',
  ]);
});

const DAY = { date: '2026-12-25', start_time: '10:00' };

test('a search by phone number says how many bookings it opened, and lists them', () => {
  const booking = (service: string) => ({ service, ...DAY });
  const search = {
    ...{ action: 'booking.found_by_phone', object_kind: 'booking', object_id: 'pbr_1', object_name: null },
    before: null,
    after: { references: ['pbr_1', 'pbr_2'], bookings: [booking('Haircut'), booking('Shave')] },
  };
  expect(sentenceOf(search)).toBe('searched by phone number and opened 2 bookings');
  expect(objectName(search)).toBe('2 bookings');
  expect(linesOf(ENGLISH, search, new Map())).toEqual([
    { label: 'booking', verb: 'opened', text: 'Haircut, Fri, Dec 25, 2026, 10:00 (pbr_1)' },
    { label: 'booking', verb: 'opened', text: 'Shave, Fri, Dec 25, 2026, 10:00 (pbr_2)' },
  ]);
  const single = { ...search, after: { references: ['pbr_1'], bookings: [booking('Haircut')] } };
  expect(sentenceOf(single)).toBe(
    'searched by phone number and opened the booking of Haircut on Fri, Dec 25, 2026, 10:00',
  );
  expect(objectName(single)).toBe('Haircut, Fri, Dec 25, 2026, 10:00');
  const old = { ...search, after: { references: ['pbr_1'] } };
  expect(sentenceOf(old)).toBe('searched by phone number and opened booking pbr_1');
  expect(linesOf(ENGLISH, old, new Map())).toEqual([{ label: 'booking', verb: 'opened', text: 'pbr_1' }]);
});

test('a change of a booking names its service, date, and time, or the reference in an entry that lacks them', () => {
  const change = { object_kind: 'booking', object_id: 'pbr_1', object_name: null, before: null };
  const about = { service: 'Cut $& Color', ...DAY };
  const canceled = { ...change, action: 'booking.cancelled', after: { status: 'cancelled', ...about } };
  expect(sentenceOf(canceled)).toBe('canceled the booking of Cut $& Color on Fri, Dec 25, 2026, 10:00');
  expect(objectName(canceled)).toBe('Cut $& Color, Fri, Dec 25, 2026, 10:00');
  expect(sentenceOf({ ...canceled, after: { status: 'cancelled' } })).toBe('canceled booking pbr_1');
  expect(objectName({ ...canceled, after: null })).toBeNull();
  expect(sentenceOf({ ...change, action: 'booking.contact_viewed', after: about })).toBe(
    'viewed the contact details for the booking of Cut $& Color on Fri, Dec 25, 2026, 10:00',
  );
  expect(sentenceOf({ ...canceled, action: 'booking.no_show' })).toBe(
    'marked the booking of Cut $& Color on Fri, Dec 25, 2026, 10:00 as no-show',
  );
  const moved = { ...change, action: 'booking.rescheduled', before: about, after: { ...about, start_time: '12:00' } };
  expect(sentenceOf(moved)).toBe(
    'rescheduled the booking of Cut $& Color from Fri, Dec 25, 2026, 10:00 to Fri, Dec 25, 2026, 12:00',
  );
});

const AT_WORK = { from: '2026-12-25T10:00', to: '2026-12-25T11:00', specialist_id: 'spc_1', location_id: null };

test.each<[string, object, string | null, string | null]>([
  ['application', { object_name: 'Partner' }, 'Partner', '/applications/1'],
  // Without a name, the application no longer exists.
  ['application', {}, null, null],
  ['audit_log', { action: 'audit.exported' }, null, '/audit'],
  ['block', { after: AT_WORK }, 'Alex, Dec 25, 2026, 10:00 – Dec 25, 2026, 11:00', '/catalog/blocks'],
  ['booking', {}, null, '/bookings/1'],
  ['calendar', { after: { name: 'Private', location_id: 'loc_1' } }, 'Private', '/catalog/locations/loc_1'],
  ['calendar', { before: { name: 'Private', specialist_id: 'spc_1' } }, 'Private', '/catalog/specialists/spc_1'],
  ['calendar_feed', { after: { of: 'business' } }, 'Calendar feed of the business', '/calendar-feeds'],
  ['calendar_feed', { after: { specialist_id: 'spc_1' } }, 'Calendar feed of Alex', '/calendar-feeds'],
  ['catalog', {}, null, '/catalog'],
  ['delivery', { object_name: 'A', object_application_id: 'app_1' }, 'A', '/applications/app_1/webhook?delivery=1'],
  ['delivery', {}, null, null],
  ['invitation', { before: { email: 'a@example.com' } }, 'a@example.com', '/team'],
  ['key', { object_name: 'Main', object_application_id: 'app_1' }, 'Main', '/applications/app_1/keys#1'],
  ['service', { object_name: 'Haircut' }, 'Haircut', '/catalog/services/1'],
  ['tenant', { action: 'retention.changed' }, null, '/privacy'],
  ['tenant', { action: 'tenant.changed' }, null, '/environment'],
  ['tenant', { action: 'tenant.second_factor_changed' }, null, '/team'],
  ['user', { object_name: 'Sam' }, 'Sam', '/team'],
  ['webhook_endpoint', { object_name: 'Partner' }, 'Partner', '/applications/1/webhook'],
  ['later_kind', {}, null, null],
])('an entry of a %s with %j names it %j and leads to %j', (kind, values, name, href) => {
  const change = {
    ...{ action: 'thing.done', object_kind: kind, object_id: '1', object_name: null, object_application_id: null },
    ...{ before: null, after: null, ...values },
  };
  expect(objectName(change, new Map([['spc_1', 'Alex']]))).toBe(name);
  expect(targets.objectHref(change)).toBe(href);
});

const CANCELED = {
  ...{ action: 'booking.cancelled', object_kind: 'booking', object_id: 'pbr_1', object_name: null },
  ...{ before: null, after: { service: 'Haircut', ...DAY } },
};

test.each<[string, Change, string[]]>([
  [
    'a canceled booking',
    CANCELED,
    [
      'canceled the booking of Haircut on Fri, Dec 25, 2026, 10:00',
      'hat die Buchung von Haircut am Fr., 25. Dez. 2026, 10:00 storniert',
      'a annulé la réservation de Haircut du ven. 25 déc. 2026, 10:00',
      'canceló la reserva de Haircut del vie, 25 dic 2026, 10:00',
    ],
  ],
  [
    'a booking without details',
    { ...CANCELED, action: 'booking.no_show', after: null },
    [
      'marked booking pbr_1 as no-show',
      'hat die Buchung pbr_1 als nicht erschienen markiert',
      'a marqué la réservation pbr_1 comme absence',
      'marcó la reserva pbr_1 como no presentada',
    ],
  ],
  [
    'a raised price that was undone',
    {
      ...{ ...service, action: 'service.updated' },
      ...{ before: { price: eur(175_000) }, after: { price: eur(200_000), undo_of: 'aud_1' } },
    },
    [
      'undid an earlier change: raised the price of Haircut from €1,750.00 to €2,000.00',
      'hat eine frühere Änderung rückgängig gemacht: hat den Preis von Haircut von 1.750,00\u00a0€ auf 2.000,00\u00a0€ erhöht',
      'a annulé une modification précédente\u00a0: a augmenté le prix de Haircut de 1\u00a0750,00\u00a0€ à 2\u00a0000,00\u00a0€',
      'deshizo un cambio anterior: subió el precio de Haircut de 1750,00\u00a0€ a 2000,00\u00a0€',
    ],
  ],
  [
    'several fields',
    {
      ...{ ...service, action: 'service.updated' },
      ...{ before: { capacity: 1, title: 'A' }, after: { capacity: 2, title: 'B' } },
    },
    [
      'changed the capacity and title of Haircut',
      'hat bei Haircut geändert: Kapazität und Titel',
      'a modifié pour Haircut\u00a0: capacité et titre',
      'cambió en Haircut: capacidad y título',
    ],
  ],
  [
    'an export',
    { ...service, action: 'requests.exported', after: { rows: 1 } },
    ['exported 1 request', 'hat 1 Anfrage exportiert', 'a exporté 1 requête', 'exportó 1 solicitud'],
  ],
])('every language describes %s', (_name, change, sentences) => {
  expect(TEXTS.map((texts) => sentence.sentenceOf(texts, change))).toEqual(sentences);
});
