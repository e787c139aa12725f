import { beforeAll, expect, test } from 'vitest';
import { expectFields } from '@/tests/support/booking-rows';
import { BOOKINGS, type Desk, makeDesk, partnerOf } from '@/tests/support/bookings';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { makeApplication } from '@/tests/support/factories';

let desk: Desk;
let cursor: string;

beforeAll(async () => {
  desk = await makeDesk({ service: { capacity: 3 } });
  for (let i = 0; i < 2; i += 1) await desk.book('10:00', { external_reference: 'cart' });
  cursor = (await desk.find({ external_reference: 'cart', limit: 1 })).data.next_cursor ?? '';
});

test('requires external_reference: there is no list of all bookings', async () => {
  for (const query of ['', '?', '?limit=5', '?external_reference=', '?external_reference']) {
    expectFields(await desk.client(`${BOOKINGS}${query}`), ['external_reference']);
  }
});

test.for(['x'.repeat(129), 'a\nb', 'a\u0000b', 'a\u202eb', '\uffff', '😀'.repeat(129)])(
  'rejects a reference that no booking can have: %j',
  async (external_reference) => {
    expectFields(await desk.find({ external_reference }), ['external_reference']);
  },
);

test.for(['0', '101', '-1', '1e2', '', '1000', 'ten'])('rejects limit %j', async (limit) => {
  expectFields(await desk.find({ external_reference: 'cart', limit }), ['limit']);
});

test('rejects other parameters, repeated ones, and broken escapes', async () => {
  for (const name of ['reference', 'date', 'locale', 'service_id', 'application_id']) {
    expectFields(await desk.find({ external_reference: 'cart', [name]: 'x' }), [name], 'unknown_field');
  }
  const repeated = await desk.client(`${BOOKINGS}?external_reference=a&external_reference=b`);
  expectFields(repeated, ['external_reference']);
  expectFields(await desk.client(`${BOOKINGS}?external_reference=%ff`), ['external_reference']);
});

test('rejects a cursor of another reference, application, or route, and an altered one', async () => {
  const other = partnerOf((await makeApplication(desk.tenant.id)).key);
  const refused = [
    await desk.find({ external_reference: 'other', cursor }),
    await other.find({ external_reference: 'cart', cursor }),
    await desk.find({
      external_reference: 'cart',
      cursor: `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`,
    }),
    await desk.find({ external_reference: 'cart', cursor: '' }),
    await desk.slots({ service_id: desk.service.id, date: '2030-01-01', cursor }),
  ];
  for (const reply of refused) expectFields(reply, ['cursor'], 'cursor_mismatch');
  expect((await desk.find({ external_reference: 'cart', limit: 100, cursor })).data.bookings).toHaveLength(1);
});

test('echoes no submitted value', async () => {
  const sent = marker();
  const reply = await desk.find({ external_reference: sent.repeat(20), limit: sent, [sent]: sent });
  expectNoEcho(reply, sent);
});
