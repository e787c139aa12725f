import { expect, test } from 'vitest';
import { listCatalog } from '@/lib/contract/operations';
import { markChanged } from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { createClient } from '@/tests/support/client';
import {
  makeApplication,
  makeBusiness,
  makeLocation,
  makeService,
  makeSpecialist,
  makeTenant,
  offer,
} from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';

const { origin } = sharedServer();

async function read(key: string) {
  const reply = await createClient({ origin, key })(CATALOG, { operation: listCatalog });
  expect(reply.status).toBe(200);
  return reply;
}

test('returns exactly the fields of the contract, without buffers', async () => {
  const tenant = await makeTenant();
  const location = await makeLocation(tenant.id, { phone: '+49 30 1234567', timeZone: 'Asia/Tokyo' });
  const service = await makeService(tenant.id, {
    description: { en: 'With wash' },
    category: { en: 'Hair' },
    durationMinutes: 45,
    slotIntervalMinutes: 15,
    bufferBeforeMinutes: 5,
    bufferAfterMinutes: 10,
    priceAmount: 4500,
    priceCurrency: 'EUR',
    capacity: 3,
    minLeadMinutes: 120,
    maxAdvanceDays: 90,
    cancellationCutoffMinutes: 1440,
  });
  await offer(tenant.id, [await makeSpecialist(tenant.id)], [service], [location]);
  const { key } = await makeApplication(tenant.id);
  const { data, headers } = await read(key);
  expect(data).toEqual({
    services: [
      {
        id: service.id,
        name: 'Haircut',
        description: 'With wash',
        category: 'Hair',
        duration_minutes: 45,
        slot_interval_minutes: 15,
        price: { amount: 4500, currency: 'EUR' },
        capacity: 3,
        min_lead_minutes: 120,
        max_advance_days: 90,
        cancellation_cutoff_minutes: 1440,
        location_ids: [location.id],
      },
    ],
    locations: [
      {
        id: location.id,
        name: 'Studio',
        address: { line1: '1 Example Street', city: 'Berlin', postal_code: '10115', country: 'DE' },
        time_zone: 'Asia/Tokyo',
        phone: '+49 30 1234567',
      },
    ],
    next_cursor: null,
    token: expect.stringMatching(/^[\w-]{32}$/),
  });
  expect(headers['x-ratelimit-limit']).toBe('100000');
});

test('returns missing optional fields as null', async () => {
  const { data } = await read((await makeBusiness()).key);
  expect(data.services[0]).toMatchObject({ description: null, category: null, price: null });
  expect(data.locations[0]).toMatchObject({ phone: null });
});

test('returns an empty catalog to an application without locations', async () => {
  const { key } = await makeBusiness({ allLocations: false, locationIds: [] });
  expect((await read(key)).data).toMatchObject({ services: [], locations: [], next_cursor: null });
});

test('returns only services, location_ids and locations that the policy covers', async () => {
  const tenant = await makeTenant();
  const [here, there] = await Promise.all([makeLocation(tenant.id), makeLocation(tenant.id)]);
  const [both, only, elsewhere] = await Promise.all([1, 2, 3].map(() => makeService(tenant.id)));
  const specialist = await makeSpecialist(tenant.id);
  if (!both || !only || !elsewhere) throw new Error('no services');
  await offer(tenant.id, [specialist], [both], [here, there]);
  await offer(tenant.id, [specialist], [only], [here]);
  await offer(tenant.id, [specialist], [elsewhere], [there]);
  const some = await makeApplication(tenant.id, { allLocations: false, locationIds: [here.id] });
  const all = await makeApplication(tenant.id);
  const narrowed = (await read(some.key)).data;
  expect(new Map(narrowed.services.map((service) => [service.id, service.location_ids]))).toEqual(
    new Map([
      [both.id, [here.id]],
      [only.id, [here.id]],
    ]),
  );
  expect(narrowed.locations.map((location) => location.id)).toEqual([here.id]);
  const whole = (await read(all.key)).data;
  expect(whole.services).toHaveLength(3);
  expect(whole.locations.map((location) => location.id)).toEqual([here.id, there.id].sort());
});

test('returns every allowed location on the first page, and then only those of the services of the page', async () => {
  const tenant = await makeTenant();
  const specialist = await makeSpecialist(tenant.id);
  const locations = await Promise.all(Array.from({ length: 5 }, () => makeLocation(tenant.id)));
  const [unused, forbidden, ...used] = locations;
  for (const location of used) await offer(tenant.id, [specialist], [await makeService(tenant.id)], [location]);
  await makeLocation(tenant.id, { published: false });
  const allowed = locations.filter((location) => location !== forbidden).map(({ id }) => id);
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: allowed });
  const client = createClient({ origin, key });
  const { data: first } = await client(`${CATALOG}?limit=2`, { operation: listCatalog });
  expect(first.locations.map(({ id }) => id)).toEqual([...allowed].sort());
  expect(first.locations.some(({ id }) => id === unused?.id)).toBe(true);
  const cursor = encodeURIComponent(first.next_cursor ?? '');
  const { data: second } = await client(`${CATALOG}?limit=2&cursor=${cursor}`, { operation: listCatalog });
  expect(second.services).toHaveLength(1);
  expect(second.locations.map(({ id }) => id)).toEqual(second.services[0]?.location_ids);
});

test('omits services that are unpublished, without an offering, or offered only at unpublished locations', async () => {
  const { tenant, location, service, specialist, key } = await makeBusiness();
  const hidden = await makeService(tenant.id, { published: false });
  const unoffered = await makeService(tenant.id);
  const closed = await makeLocation(tenant.id, { published: false });
  const onlyClosed = await makeService(tenant.id);
  await offer(tenant.id, [specialist], [hidden], [location]);
  await offer(tenant.id, [specialist], [onlyClosed, service], [closed]);
  const { data } = await read(key);
  expect(data.services.map(({ id }) => id)).toEqual([service.id]);
  expect(data.services[0]?.location_ids).toEqual([location.id]);
  expect(data.locations.map(({ id }) => id)).toEqual([location.id]);
  expect(data.services.some(({ id }) => id === unoffered.id)).toBe(false);
});

test('never returns the records of another tenant', async () => {
  const [one, two] = await Promise.all([makeBusiness(), makeBusiness()]);
  const texts = await Promise.all([one, two].map(async ({ key }) => (await read(key)).text));
  expect(texts[0]).toContain(one.service.id);
  expect(texts[0]).not.toContain(two.service.id);
  expect(texts[1]).not.toContain(one.location.id);
});

test('reflects an edit within a second of its notification', async () => {
  const { tenant, service, key } = await makeBusiness();
  expect((await read(key)).data.services[0]?.name).toBe('Haircut');
  await db().service.update({ where: { id: service.id }, data: { name: { en: 'Trim' } } });
  await markChanged(db(), 'catalog', tenant.id);
  const changed = performance.now();
  await until(
    async () => {
      const startedAt = performance.now();
      const name = (await read(key)).data.services[0]?.name;
      expect(name === 'Trim' || startedAt - changed < 1000).toBe(true);
      return name;
    },
    (name) => name === 'Trim',
  );
});

test('returns a unique request id and ignores that of the client', async () => {
  const { key } = await makeBusiness();
  const client = createClient({ origin, key });
  const sent = 'req_01arz3ndektsv4rrffq69g5fav';
  const replies = await Promise.all([1, 2, 3].map(() => client(CATALOG, { headers: { 'x-request-id': sent } })));
  expect(new Set([sent, ...replies.map((reply) => reply.requestId)]).size).toBe(4);
});

test('accepts the authentication scheme in any letter case', async () => {
  const { key } = await makeBusiness();
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const reply = await createClient({ origin })(CATALOG, { headers: { authorization: `${scheme} ${key}` } });
    expect([scheme, reply.status]).toEqual([scheme, 200]);
  }
});
