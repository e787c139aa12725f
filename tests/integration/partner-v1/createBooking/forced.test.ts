import { expect, test } from 'vitest';
import { countRows, eventsOf, expectRefusal, NOTHING } from '@/tests/support/booking-rows';
import { makeDesk } from '@/tests/support/bookings';

const KEY = 'forced-by-the-reference';

/** Returns a field of a request body. The sandbox gives the response that `word` names, such as `503`. */
const forcing = (word: string) => ({ external_reference: `test:${word}:order-4711` });

test.concurrent.each([
  ['503', 503, 'service_unavailable'],
  ['429', 429, 'rate_limited'],
] as const)(
  'test:%s refuses the first request with an idempotency key, and binds nothing',
  async (word, status, code) => {
    const { create, body, tenant, slotAt } = await makeDesk();
    const first = await create(body('10:00', forcing(word)), { key: KEY });
    expectRefusal(first, status, code, null);
    expect(Number(first.headers['retry-after'])).toBeLessThanOrEqual(2);
    if (status === 429) expect(first.headers['x-ratelimit-remaining']).toBe('0');
    expect(await countRows(tenant.id)).toEqual(NOTHING);
    expect(await slotAt('10:00')).toBeDefined();
    const again = await create(body('10:00', forcing(word)), { key: KEY });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect((await create(body('10:00', forcing(word)), { key: KEY })).headers['idempotent-replayed']).toBe('true');
    expectRefusal(await create(body('11:00', forcing(word))), status, code, null);
  },
);

test.concurrent('forces no refusal before the checks that come earlier', async () => {
  const { create, body } = await makeDesk();
  expect((await create({ ...body('10:00', forcing('503')), date: 'soon' })).status).toBe(400);
  expectRefusal(await create(body('10:00', { ...forcing('503'), service_id: 'svc_unknown' })), 404, 'not_found');
});

test.concurrent('test:slot_taken refuses every request, and binds the idempotency key as a taken slot does', async () => {
  const { create, body, tenant } = await makeDesk();
  for (let i = 0; i < 2; i += 1) {
    const refused = await create(body('10:00', forcing('slot_taken')), { key: KEY });
    expectRefusal(refused, 409, 'booking_unavailable', 'slot_taken');
  }
  expectRefusal(await create(body('11:00', forcing('slot_taken')), { key: KEY }), 409, 'idempotency_key_reused');
  expect(await countRows(tenant.id)).toEqual({ ...NOTHING, keys: 1 });
});

test.concurrent('test:lost_response books and closes the connection; the same request is replayed', async () => {
  const { create, body, tenant } = await makeDesk();
  await expect(create(body('10:00', forcing('lost_response')), { key: KEY })).rejects.toThrow(/closed|reset|socket/i);
  expect(await countRows(tenant.id)).toMatchObject({ bookings: 1, events: 1 });
  const again = await create(body('10:00', forcing('lost_response')), { key: KEY });
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect(await countRows(tenant.id)).toMatchObject({ bookings: 1, events: 1 });
});

test.concurrent('test:slow books, then delays the response; a replay does not wait for it', async () => {
  const { create, body } = await makeDesk();
  let responded = false;
  const slow = create(body('10:00', forcing('slow')), { key: KEY }).finally(() => {
    responded = true;
  });
  let again = await create(body('10:00', forcing('slow')), { key: KEY });
  // The second request may have run first. In this case, the response to the first request is the replay.
  if (again.headers['idempotent-replayed'] === undefined) again = await slow;
  else expect(responded).toBe(false);
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true']);
  expect((await slow).status).toBe(201);
});

test.concurrent.each([
  ['completed', 'booking.completed'],
  ['no_show', 'booking.no_show'],
] as const)('test:%s ends the booking at once with its event', async (word, type) => {
  const { create, body, read } = await makeDesk();
  const made = await create(body('10:00', forcing(word)), { key: KEY });
  expect([made.status, made.data.booking.status, made.data.booking.version]).toEqual([201, 'confirmed', 1]);
  const { reference } = made.data.booking;
  expect((await read(reference)).data.booking).toMatchObject({ status: word, version: 2, cancellable: false });
  const replayed = await create(body('10:00', forcing(word)), { key: KEY });
  expect([replayed.status, replayed.data]).toEqual([201, made.data]);
  const events = await eventsOf(reference);
  expect(events.map((event) => [event.type, event.version])).toEqual([
    ['booking.created', 1],
    [type, 2],
  ]);
});

test.concurrent('another word after test: forces nothing', async () => {
  const { book } = await makeDesk();
  expect(await book('10:00', forcing('unknown'))).toMatchObject({ status: 'confirmed', version: 1 });
});
