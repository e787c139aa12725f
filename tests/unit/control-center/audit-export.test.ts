import { expect, test } from 'vitest';
import { describeChangeIn } from '@/app/t/[tenant]/audit/_components/export-texts';
import type { Language } from '@/lib/platform/text/languages';
import { auditTexts } from '@/tests/support/audit-texts';

const NAMES = new Map([['svc_1', 'Haircut']]);
const OWNER = {
  id: 'aud_1',
  at: new Date(),
  actor_kind: 'owner',
  actor_id: 'usr_1',
  actor_name: 'Olga',
  object_application_id: null,
};
const BOOKING = { ...OWNER, object_kind: 'booking', object_id: 'pbr_1', object_name: null };
const ABOUT = { service: 'Haircut', date: '2026-12-25', start_time: '10:00' };

type Line = Parameters<ReturnType<typeof describeChangeIn>>[0];

const textsOf = (line: Line, language: Language = 'en') =>
  describeChangeIn(auditTexts(language))(line, NAMES, 'Europe/Berlin');

test('an exported change is a sentence with the object’s name and each field before and after', () => {
  const canceled = {
    ...{ ...BOOKING, action: 'booking.cancelled' },
    before: { status: 'confirmed', version: 1, ...ABOUT },
    after: { status: 'cancelled', version: 2, ...ABOUT },
  };
  expect(textsOf(canceled)).toEqual({
    sentence: 'Olga canceled the booking of Haircut on Fri, Dec 25, 2026, 10:00.',
    actor: 'Olga',
    action: 'booking canceled',
    objectType: 'booking',
    object: 'Haircut, Fri, Dec 25, 2026, 10:00',
    changes: 'status: Confirmed → Canceled; version: 1 → 2',
  });
  expect(textsOf(canceled, 'de')).toEqual({
    sentence: 'Olga hat die Buchung von Haircut am Fr., 25. Dez. 2026, 10:00 storniert.',
    actor: 'Olga',
    action: 'Buchung storniert',
    objectType: 'Buchung',
    object: 'Haircut, Fr., 25. Dez. 2026, 10:00',
    changes: 'Status: Bestätigt → Storniert; Version: 1 → 2',
  });
  expect(textsOf({ ...canceled, before: null, after: null })).toMatchObject({ object: 'pbr_1', changes: '' });
  const search = { references: ['pbr_1', 'pbr_2'], bookings: [ABOUT, ABOUT] };
  expect(textsOf({ ...BOOKING, action: 'booking.found_by_phone', before: null, after: search })).toMatchObject({
    sentence: 'Olga searched by phone number and opened 2 bookings.',
    object: '2 bookings',
    changes:
      'booking opened: Haircut, Fri, Dec 25, 2026, 10:00 (pbr_1); booking opened: Haircut, Fri, Dec 25, 2026, 10:00 (pbr_2)',
  });
});

test('an exported change has no codes and no JSON, and its times are in the given time zone', () => {
  const key = { ...OWNER, action: 'key.issued', object_kind: 'key', object_id: 'key_1', object_name: 'Main' };
  const after = { expires_at: '2026-12-25T23:30:00.000Z', scopes: ['catalog.read'], services: ['svc_1'] };
  expect(textsOf({ ...key, before: null, after })).toMatchObject({
    sentence: 'Olga issued the key Main.',
    changes: 'expires: Dec 26, 2026, 00:30; scopes added: Read the catalog; services added: Haircut',
  });
  const exported = {
    ...OWNER,
    action: 'audit.exported',
    object_kind: 'audit_log',
    object_id: 'ten_1',
    object_name: null,
  };
  expect(textsOf({ ...exported, before: null, after: {} })).toMatchObject({
    sentence: 'Olga started an export of changes.',
    changes: '',
  });
  const system = { ...exported, actor_kind: 'system', actor_id: null, actor_name: null };
  expect(textsOf({ ...system, before: null, after: { rows: 7 } }).sentence).toBe('System exported 7 changes.');
  const operator = { ...system, actor_kind: 'operator', action: 'tenant.suspended', before: null, after: null };
  expect(textsOf(operator)).toMatchObject({ actor: 'Operator', sentence: 'Operator suspended the business.' });
});

test('the text of a change fits into a cell of a spreadsheet', () => {
  const hours = Array.from({ length: 2_000 }, (_, n) => ({ weekday: 1, opens: `${n}`, closes: '17:00' }));
  const location = {
    ...OWNER,
    action: 'location.updated',
    object_kind: 'location',
    object_id: 'l',
    object_name: 'Studio',
  };
  const { changes } = textsOf({ ...location, before: { hours: [] }, after: { hours } });
  expect(changes).toHaveLength(30_001);
  expect(changes.endsWith('…')).toBe(true);
});
