import { expect, test } from 'vitest';
import * as sentence from '@/app/t/[tenant]/audit/_components/sentence';
import { linesOf } from '@/app/t/[tenant]/audit/_components/values';
import { LANGUAGES, type Language } from '@/lib/platform/text/languages';
import { auditTexts } from '@/tests/support/audit-texts';

const ENGLISH = auditTexts('en');
const sentenceOf = (change: Parameters<typeof sentence.sentenceOf>[1]) => sentence.sentenceOf(ENGLISH, change);

const NAMES = new Map([
  ['loc_1', 'Studio'],
  ['svc_1', 'Haircut'],
]);

/** Returns the lines of a change as text. */
const lines = (
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
  language: Language = 'en',
) =>
  linesOf(auditTexts(language), { before, after }, NAMES).map((line) =>
    'verb' in line ? `${line.label} ${line.verb} ${line.text}` : `${line.label}: ${line.before} → ${line.after}`,
  );

const christmas = { date: '2026-12-25', hours: [], note: 'Christmas' };
const eve = { date: '2026-12-24', hours: [{ opens: '09:00', closes: '13:00' }], note: null };

test('closures, hours, breaks, and time off are entries that were added or removed', () => {
  const lunch = { weekday: 1, opens: '12:00', closes: '13:00' };
  const holiday = { from: '2026-12-21T09:00', to: '2026-12-28T18:00' };
  expect(lines({ exceptions: [eve] }, { exceptions: [christmas, eve] })).toEqual([
    'exceptions added Fri, Dec 25, 2026, closed (Christmas)',
  ]);
  expect(lines({ exceptions: [eve] }, { exceptions: [] })).toEqual([
    'exceptions removed Thu, Dec 24, 2026, 09:00–13:00',
  ]);
  expect(lines({ breaks: [] }, { breaks: [lunch] })).toEqual(['breaks added Monday 12:00–13:00']);
  expect(lines({ hours: [lunch] }, { hours: [{ ...lunch, closes: '14:00' }] })).toEqual([
    'hours removed Monday 12:00–13:00',
    'hours added Monday 12:00–14:00',
  ]);
  expect(lines({ time_off: [] }, { time_off: [holiday] })).toEqual([
    'time off added Dec 21, 2026, 09:00 – Dec 28, 2026, 18:00',
  ]);
  const place = { location_id: 'loc_1', service_ids: [], hours: [lunch], exceptions: [] };
  expect(lines({ workplaces: [place] }, { workplaces: [{ ...place, service_ids: ['svc_1'] }] })).toEqual([
    'workplaces added Studio: Haircut',
  ]);
});

test('amounts, durations, roles, statuses, and times are formatted as on their pages', () => {
  const price = (amount: number) => ({ amount, currency: 'EUR' });
  expect(lines({ price: price(900) }, { price: price(17_500) })).toEqual(['price: €9.00 → €175.00']);
  expect(lines({ price: null }, { price: price(900) })).toEqual(['price: none → €9.00']);
  expect(lines({ min_lead_minutes: 0 }, { min_lead_minutes: 1_440 })).toEqual(['minimum notice: 0 min → 1 day']);
  expect(lines({ contact_days: 365 }, { contact_days: null })).toEqual(['contacts kept for: 365 days → forever']);
  expect(lines({ role: 'SUPPORT' }, { role: 'FRONT_DESK' })).toEqual(['role: Support → Front desk']);
  expect(lines({ status: 'confirmed' }, { status: 'cancelled' })).toEqual(['status: Confirmed → Canceled']);
  expect(lines({ reset_policy: 'DAILY' }, { reset_policy: 'ON_DEMAND' })).toEqual([
    'reset policy: daily → manual only',
  ]);
  expect(lines({ suspended: false }, { suspended: true })).toEqual(['suspended: false → true']);
  expect(lines({ date: '2026-12-24', start_time: '10:00' }, { date: '2026-12-25', start_time: '10:00' })).toEqual([
    'date: Thu, Dec 24, 2026 → Fri, Dec 25, 2026',
  ]);
  const [expiry] = lines({ expires_at: null }, { expires_at: '2026-12-25T10:05:09.000Z' });
  expect(expiry).toMatch(/^expires: none → Dec 2\d, 2026, \d\d:\d\d$/);
});

test('lists, translated texts, and addresses are compared part by part, and IDs become names', () => {
  expect(lines({ scopes: ['catalog.read'] }, { scopes: ['catalog.read', 'booking.create'] })).toEqual([
    'scopes added Create bookings',
  ]);
  expect(lines({ scopes: ['booking.create'] }, { scopes: ['catalog.read', 'availability.read'] })).toEqual([
    'scopes removed Create bookings',
    'scopes added Read the catalog, Read availability',
  ]);
  expect(lines({ name: { en: 'Cut', de: 'Schnitt' } }, { name: { en: 'Cut', de: 'Haarschnitt' } })).toEqual([
    'name (German): Schnitt → Haarschnitt',
  ]);
  expect(lines({ description: null }, { description: { en: 'Short' } })).toEqual([
    'description (English): none → Short',
  ]);
  expect(lines({ address: { city: 'Bonn', line1: 'A' } }, { address: { city: 'Berlin', line1: 'A' } })).toEqual([
    'address (city): Bonn → Berlin',
  ]);
  const unknown = `loc_${'0'.repeat(18)}12345678`;
  expect(lines({ location_ids: ['loc_1'] }, { location_ids: [unknown] })).toEqual([
    'locations removed Studio',
    'locations added loc_…12345678',
  ]);
  expect(lines(null, { name: { en: 'Cut' }, description: null, capacity: 1_000, time_off: [] })).toEqual([
    'name (English): null → Cut',
    'capacity: null → 1,000',
  ]);
  expect(lines({ name: 'Sam', role: 'OWNER' }, null)).toEqual(['name: Sam → none', 'role: Owner → none']);
});

test('no kind of change shows JSON', () => {
  const odd = {
    exceptions: 'closed',
    hours: [{ a: 1 }],
    filters: { from: null, nested: { deep: [{ x: 1 }] } },
    more: [{}],
  };
  expect(lines({}, odd).join('\n')).not.toMatch(/[{}[\]"]/);
});

test('a single closure, break, time off, role, or move is a sentence', () => {
  const change = { object_kind: 'location', object_id: 'loc_1', object_name: 'Studio' };
  const closure = {
    ...change,
    action: 'location.updated',
    before: { exceptions: [] },
    after: { exceptions: [christmas] },
  };
  expect(sentenceOf(closure)).toBe('added a closure for Studio: Fri, Dec 25, 2026, closed (Christmas)');
  expect(sentenceOf({ ...closure, before: closure.after, after: closure.before })).toBe(
    'removed a closure of Studio: Fri, Dec 25, 2026, closed (Christmas)',
  );
  expect(sentenceOf({ ...closure, after: { exceptions: [eve] } })).toBe(
    'added special hours for Studio: Thu, Dec 24, 2026, 09:00–13:00',
  );
  expect(sentenceOf({ ...closure, after: { exceptions: [eve, christmas] } })).toBe('changed the exceptions of Studio');
  const member = { ...change, object_kind: 'user', object_name: 'Sam', action: 'member.role_changed' };
  expect(sentenceOf({ ...member, before: { role: 'SUPPORT' }, after: { role: 'FRONT_DESK' } })).toBe(
    'changed the role of Sam from Support to Front desk',
  );
  const limit = { ...member, action: 'member.locations_changed', before: { location_ids: null } };
  expect(sentenceOf({ ...limit, after: { location_ids: ['loc_1', 'loc_2'] } })).toBe('limited Sam to 2 locations');
  expect(sentenceOf({ ...limit, after: { location_ids: null } })).toBe('gave Sam all locations');
  const lunch = { weekday: 1, opens: '12:00', closes: '13:00' };
  const anna = { ...change, object_kind: 'specialist', object_name: 'Anna', action: 'specialist.updated' };
  expect(sentenceOf({ ...anna, before: { breaks: [] }, after: { breaks: [lunch] } })).toBe(
    'added a break for Anna: Monday 12:00–13:00',
  );
  const booking = { ...change, object_kind: 'booking', object_id: 'pbr_1', object_name: null };
  const start = (date: string) => ({ date, start_time: '10:00' });
  expect(
    sentenceOf({ ...booking, action: 'booking.rescheduled', before: start('2026-12-24'), after: start('2026-12-25') }),
  ).toBe('rescheduled booking pbr_1 from Thu, Dec 24, 2026, 10:00 to Fri, Dec 25, 2026, 10:00');
});

test('every language formats values as it writes them', () => {
  const before = { capacity: 1_000, role: 'SUPPORT', suspended: false, contact_days: 1, exceptions: [] };
  const after = { capacity: 12_000, role: 'OWNER', suspended: true, contact_days: null, exceptions: [christmas] };
  const [, german, french, spanish] = LANGUAGES.map((language) => lines(before, after, language));
  expect(german).toEqual([
    'Kapazität: 1.000 → 12.000',
    'Rolle: Support → Inhaber',
    'gesperrt: nein → ja',
    'Kontakte aufbewahrt für: 1 Tag → unbegrenzt',
    'Ausnahmen added Fr., 25. Dez. 2026, geschlossen (Christmas)',
  ]);
  expect(french).toEqual([
    'capacité: 1\u00a0000 → 12\u00a0000',
    'rôle: Support → Propriétaire',
    'suspendu: non → oui',
    'contacts conservés: 1 jour → sans limite',
    'exceptions added ven. 25 déc. 2026, fermé (Christmas)',
  ]);
  expect(spanish).toEqual([
    'capacidad: 1000 → 12.000',
    'rol: Soporte → Propietario',
    'suspendido: no → sí',
    'contactos conservados: 1 día → sin límite',
    'excepciones added vie, 25 dic 2026, cerrado (Christmas)',
  ]);
});
