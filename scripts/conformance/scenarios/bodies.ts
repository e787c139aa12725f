import assert from 'node:assert/strict';
import { CUSTOMER, dayAhead, expectRefusal, SLOT, type World } from '../world';

const MARKER = 'zqx-confidential-value';

const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`name_${i}`, MARKER]));

/** Checks contract A (create body), B3, and B7: invalid bodies are refused, and no submitted value is repeated. */
export async function badBodies(world: World): Promise<void> {
  const { check, create, post, body, release } = world;
  const { service, independent } = await world.bookable();
  const slot = independent(SLOT.refused);
  const invalid: [string, Record<string, unknown>, string, string | null][] = [
    ['missing consent', { customer: { ...CUSTOMER, consent_to_contact: false } }, 'customer.consent_to_contact', null],
    ['an invalid phone number', { customer: { ...CUSTOMER, phone: MARKER } }, 'customer.phone', null],
    ['an empty name', { customer: { ...CUSTOMER, name: ' ' } }, 'customer.name', null],
    [
      'a bidirectional control character in the name',
      { customer: { ...CUSTOMER, name: 'A\u202eB' } },
      'customer.name',
      null,
    ],
    ['an invalid date', { date: MARKER }, 'date', null],
    ['an invalid time', { start_time: '25:00' }, 'start_time', null],
    ['a field in camelCase', { specialistId: MARKER }, '*', 'unknown_field'],
    ['a missing service', { service_id: undefined }, 'service_id', null],
    ['a composite booking', { service_ids: [MARKER] }, 'service_ids', 'unknown_field'],
    ['a composition mode', { composition_mode: MARKER }, 'composition_mode', 'unknown_field'],
    ['an unknown field whose name may contain data', { [MARKER]: 1 }, '*', 'unknown_field'],
    [
      'an email address as the external reference',
      { external_reference: `${MARKER}@example.com` },
      'external_reference',
      'sensitive_reference',
    ],
    [
      'the customer’s phone number as the external reference',
      { external_reference: 'x 493023125234' },
      'external_reference',
      'sensitive_reference',
    ],
    [
      'a card number as the external reference',
      { external_reference: '4111 1111 1111 1111' },
      'external_reference',
      'sensitive_reference',
    ],
    ['an invalid email address', { customer: { ...CUSTOMER, email: MARKER } }, 'customer.email', null],
    ['an invalid language', { customer: { ...CUSTOMER, locale: `-${MARKER}` } }, 'customer.locale', null],
    ['a note of 501 characters', { note: MARKER.padEnd(501, 'x') }, 'note', null],
    ['a control character in the note', { note: `${MARKER}\u0007` }, 'note', null],
    ['metadata with 21 pairs', { metadata: pairs(21) }, 'metadata', null],
    ['nested metadata', { metadata: { cart: { [MARKER]: MARKER } } }, 'metadata', null],
    // An object literal with this name would set its prototype instead.
    ['metadata named __proto__', { metadata: JSON.parse(`{"__proto__":"${MARKER}"}`) }, 'metadata', null],
    [
      'an email address in the metadata',
      { metadata: { note: `${MARKER}@example.com` } },
      'metadata',
      'sensitive_reference',
    ],
  ];
  for (const [what, more, field, reason] of invalid) {
    await check('B7', `${what} gets a 400 that names ${field} and contains no submitted value`, async () => {
      const reply = await create(body(slot, more));
      await release(reply);
      expectRefusal(reply, 400, 'invalid_request', reason);
      assert.ok(reply.fields.includes(field), `fields: ${reply.fields.join()}`);
      assert.ok(!reply.text.includes(MARKER), 'a submitted value is in the response');
    });
  }
  // With two defects, the server could detect only one.
  const good = JSON.stringify(body(slot));
  const unreadable: [string, string, Record<string, string>][] = [
    ['malformed JSON', good.replace(/}$/, ',}'), {}],
    ['a duplicate key', good.replace('{', `{"date":${JSON.stringify(slot.date)},`), {}],
    ['another content type', good, { 'content-type': 'text/plain' }],
    ['a Content-Encoding other than identity', good, { 'content-encoding': 'gzip' }],
    ['a body of more than 16 KiB', good + ' '.repeat(17_000), {}],
  ];
  for (const [what, text, headers] of unreadable) {
    await check('B3', `${what} gets a 400`, async () => {
      const reply = await post('/bookings', text, undefined, headers);
      await release(reply);
      expectRefusal(reply, 400, 'invalid_request');
    });
  }
  const unavailable: [string, Record<string, unknown>, string][] = [
    ['a start in the past', { date: '2020-02-28' }, 'lead_time'],
    ['a start beyond the horizon', { date: dayAhead(service.max_advance_days + 3) }, 'max_advance'],
    ['a start that does not fit the interval', { start_time: slot.start_time.replace(/\d$/, '7') }, 'off_grid'],
  ];
  for (const [what, more, reason] of unavailable) {
    await check('B3', `${what} gets a 409 with ${reason}`, async () => {
      expectRefusal(await create(body(slot, more)), 409, 'booking_unavailable', reason);
    });
  }
  await check('B3', 'an unknown service gets a 404', async () => {
    expectRefusal(await create(body(slot, { service_id: 'svc_01jd8x4t5wf3rbq0zk6m7n8p9q' })), 404, 'not_found', null);
  });
  await check('B3', 'malformed JSON gets a 400 that states line and column', async () => {
    const reply = await post('/bookings', '{\n  "service_id": }');
    expectRefusal(reply, 400, 'invalid_request');
    assert.match(reply.text, /line 2, column \d+/);
  });
}
