import { createHash } from 'node:crypto';
import { vi } from 'vitest';
import { deriveTenant } from '@/lib/booking/bookings/derive-again';
import { changeByOwner, type OwnerAction } from '@/lib/booking/bookings/owner-change';
import { emitUpcoming } from '@/lib/booking/bookings/upcoming';
import { requestErasure } from '@/lib/booking/customers/erasure';
import { continueErasure } from '@/lib/booking/customers/run-erasures';
import { EXAMPLE_IDS, EXAMPLE_TOKEN } from '@/lib/contract/common';
import { BOOKING_EVENT_TYPES, TEST_EVENT_TYPE } from '@/lib/contract/events';
import { BASE_PATH, OPERATIONS, type OperationId } from '@/lib/contract/operations';
import { db, pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { withSequence } from '@/lib/webhooks/payload';
import { ROUTES } from '@/scripts/server/routes';
import {
  makeApplication,
  makeLocation,
  makeService,
  makeSpecialist,
  makeTenant,
  offer,
} from '@/tests/support/factories';
import { addEndpoint } from '@/tests/support/webhooks';

type Exchange = { request?: unknown; response: unknown };
type Recorded = { operations: Partial<Record<OperationId, Exchange>>; events: Record<string, unknown> };

const EXAMPLE_CURSOR = 'c4Fh2kQv8mXw0pTz1bYs3gAXN2Y18wMWpkOHg0dDV3';

const KINDS = {
  svc: 'service',
  loc: 'location',
  spc: 'specialist',
  evt: 'event',
  req: 'request',
  pbr: 'booking',
  app: 'application',
} as const;

/** Contains the last character of each example event's id, in the order of `EVENTS`. */
const EVENT_ENDS = 'tv0wxy14z';
const EVENTS: readonly string[] = [...BOOKING_EVENT_TYPES, TEST_EVENT_TYPE];

/**
 * Returns a copy of `value` in which example ids replace the generated ids. All records of one kind get the same id.
 * For events, `recordExamples` then replaces this id with a different one for each event type.
 */
function withExampleIds(value: unknown): unknown {
  // The last characters of a key are random.
  const fixed = JSON.stringify(value).replace(/"last_four":"\w+"/, '"last_four":"x7Qd"');
  const digest = createHash('sha256').update(`${EXAMPLE_IDS.booking}:1\n`).digest('hex');
  const text = fixed
    .replace(/(?<="count":1,"hash":")\w+/, digest)
    .replaceAll(
      /\b(svc|loc|spc|evt|req|pbr|app)_[0-9a-z]{26}\b/g,
      (_, prefix: keyof typeof KINDS) => EXAMPLE_IDS[KINDS[prefix]],
    );
  // It is authenticated with a secret that differs in each run.
  const withCursor = text.replaceAll(/"next_cursor":"[^"]+"/g, `"next_cursor":"${EXAMPLE_CURSOR}"`);
  return JSON.parse(withCursor.replaceAll(/"token":"[\w-]{32}"/g, `"token":"${EXAMPLE_TOKEN}"`));
}

/**
 * Creates the business of the examples. It has one service, one location, and one specialist, and is open on Mondays
 * for one hour and on Tuesdays.
 */
async function makeShop() {
  const tenant = await makeTenant();
  const location = await makeLocation(tenant.id, { name: { en: 'Studio Mitte' } });
  const hours = [
    { weekday: 1, opens: '09:30', closes: '10:30' },
    { weekday: 2, opens: '09:30', closes: '18:00' },
  ];
  await db().location.update({ where: { id: location.id }, data: { hours: { deleteMany: {}, create: hours } } });
  const service = await makeService(tenant.id, {
    name: { en: 'Haircut' },
    description: { en: 'Wash, cut and finish.' },
    category: { en: 'Hair' },
    durationMinutes: 45,
    slotIntervalMinutes: 15,
    priceAmount: 4900,
    priceCurrency: 'EUR',
    minLeadMinutes: 60,
    maxAdvanceDays: 60,
    cancellationCutoffMinutes: 1440,
  });
  const specialist = await makeSpecialist(tenant.id, { title: { en: 'Senior stylist' } });
  await offer(tenant.id, [specialist], [service], [location]);
  return { tenantId: tenant.id, location, service, ...(await makeApplication(tenant.id, { quota: 600 })) };
}

/**
 * Calls the route of an operation directly, without a server. Returns the booking's reference, and the bodies of the
 * request and the response.
 */
async function call(key: string, id: OperationId, { reference = '', search = '', body }: Call = {}) {
  const { method, path } = OPERATIONS.find((one) => one.id === id) ?? { method: 'GET', path: '' };
  const text = JSON.stringify(body ?? null);
  const answer = await ROUTES[id]({
    begun: performance.now(),
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `example-of-${id}`,
    },
    method,
    path: BASE_PATH + path.replace('{pbr_reference}', reference),
    search,
    address: '127.0.0.1',
    readBytes: async () => Buffer.from(text),
  });
  const response = JSON.parse(answer.body.toString());
  if (answer.status >= 300) throw new Error(`${id}: ${answer.status} ${answer.body}`);
  return {
    reference: response.data.booking?.reference as string,
    exchange: { ...(body && { request: body }), response },
  };
}

type Call = { reference?: string; search?: string; body?: Record<string, unknown> };

const at = (time: string) => vi.setSystemTime(new Date(time));

/**
 * Creates a booking, reschedules it, and ends it in the way that `ending` names (`rules`: other time zone rules move it). Returns the requests, responses, and
 * events. Sets the fake clock to fixed times, so that the examples always contain the same times.
 */
async function runUntil(ending: 'partner' | 'rules' | OwnerAction): Promise<Recorded> {
  const { tenantId, applicationId, location, service, key } = await makeShop();
  const operations: Recorded['operations'] = {};
  const record = async (id: OperationId, parts?: Call) => {
    const { reference, exchange } = await call(key, id, parts);
    operations[id] = exchange;
    return reference;
  };
  await record('readMe');
  await record('listCatalog');
  await record('listSpecialists');
  await record('listAvailability', { search: `service_id=${service.id}&date=2026-09-14` });
  await record('listAvailabilityDays', { search: `service_ids=${service.id}&date=2026-09-14&date_to=2026-09-16` });
  // From the opening on, because the starts before it are all the same.
  const explained = `service_id=${service.id}&date=2026-09-14`;
  const before = await call(key, 'explainAvailability', { search: `${explained}&limit=38` });
  const cursor = before.exchange.response.data.next_cursor;
  await record('explainAvailability', { search: `${explained}&limit=3&cursor=${cursor}` });
  const customer = { name: 'Robin Sample', phone: '+49 30 23125 234', consent_to_contact: true };
  const slot = { service_id: service.id, location_id: location.id, date: '2026-09-14', start_time: '09:30' };
  const body = { ...slot, external_reference: 'order-4711', customer };
  const reference = await record('createBooking', { body });
  await record('listBookings', { search: 'external_reference=order-4711' });
  await record('readBooking', { reference });
  await record('digestBookings', { search: 'from=2026-09-14&to=2026-09-15' });
  await record('listEvents', { search: 'after=0' });
  at('2026-09-02T10:00:00.000Z');
  const move = { expected_version: 1, date: '2026-09-15', start_time: '11:00' };
  await record('rescheduleBooking', { reference, body: move });
  if (ending === 'partner') {
    at('2026-09-03T10:00:00.000Z');
    await record('cancelBooking', { reference, body: { expected_version: 2, reason: 'customer_request' } });
    await addEndpoint(tenantId, applicationId, 'http://127.0.0.1:59999/', new Date());
    await record('sendTestEvent', { body: {} });
  } else if (ending === 'rules') {
    at('2026-09-03T10:00:00.000Z');
    // As other time zone rules put it.
    for (const table of ['bookings', 'slot_claims'])
      await pool().query(
        `UPDATE ${table} SET starts_at = starts_at + interval '1 hour', ends_at = ends_at + interval '1 hour'
           ${table === 'bookings' ? '' : `, during = tstzrange(starts_at + interval '1 hour', ends_at + interval '1 hour')`}
         WHERE tenant_id = $1`,
        [tenantId],
      );
    await deriveTenant(new Date(), tenantId, new AbortController().signal);
  } else {
    if (ending === 'complete') {
      await addEndpoint(tenantId, applicationId, 'http://127.0.0.1:59999/', new Date());
      at('2026-09-14T09:00:00.000Z');
      await emitUpcoming(new Date());
    }
    at(ending === 'complete' ? '2026-09-15T09:50:00.000Z' : '2026-09-15T09:20:00.000Z');
    const change = { tenantId, actor: { kind: 'system' } as const, reference, action: ending, cancelReason: null };
    await changeByOwner(new Date(), { ...change, expectedVersion: 2 });
    if (ending === 'no_show') await erase(tenantId, reference);
  }
  const rows = await db().event.findMany({
    where: { tenantId },
    select: { type: true, payload: true, number: { select: { sequence: true } } },
  });
  return {
    operations,
    events: Object.fromEntries(
      rows.map(({ type, payload, number }) => [type, JSON.parse(withSequence(payload, number?.sequence ?? null))]),
    ),
  };
}

async function erase(tenantId: string, reference: string): Promise<void> {
  at('2026-10-01T08:00:00.000Z');
  const actor = { kind: 'owner', id: newId('usr'), tenantId } as const;
  const id = await requestErasure(new Date(), { tenantId, actor, foundBy: 'phone', references: [reference] });
  await continueErasure(new Date(), { id, tenant_id: tenantId });
}

/** Records the exchanges and events of the documentation's examples, with fixed ids. */
export async function recordExamples(): Promise<unknown> {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const runs: Recorded[] = [];
    for (const ending of ['rules', 'complete', 'no_show', 'partner'] as const) {
      at('2026-09-01T08:00:00.000Z');
      runs.push(withExampleIds(await runUntil(ending)) as Recorded);
    }
    const seen = Object.assign({}, ...runs.map(({ events }) => events));
    const events = EVENTS.map((type, i) => {
      const id = EXAMPLE_IDS.event.slice(0, -1) + EVENT_ENDS.charAt(i);
      return [type, { ...seen[type], id }];
    });
    const { operations = {} } = runs.at(-1) ?? {};
    const ordered = OPERATIONS.map(({ id }) => [id, operations[id]]);
    return { operations: Object.fromEntries(ordered), events: Object.fromEntries(events) };
  } finally {
    vi.useRealTimers();
  }
}
