import { beforeAll, expect, test } from 'vitest';
import { listCatalog } from '@/lib/contract/operations';
import { expectFields } from '@/tests/support/booking-rows';
import { type Desk, dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { makeApplication } from '@/tests/support/factories';
import { CATALOG, withQuery } from '@/tests/support/paths';

let desk: Desk;
let base: Record<string, string>;
let cursor: string;

beforeAll(async () => {
  desk = await makeDesk({ specialists: 2 });
  base = { service_id: desk.service.id, date: dayAhead() };
  cursor = (await desk.slots({ ...base, limit: 1 })).data.next_cursor ?? '';
});

async function expectMismatch(parameters: Record<string, string>, from: Pick<Desk, 'slots'> = desk) {
  const reply = await from.slots({ limit: 1, ...parameters });
  expectFields(reply, ['cursor'], 'cursor_mismatch');
  return reply;
}

test('rejects a cursor together with any other filters', async () => {
  const { reference } = await desk.book('15:00');
  const queries: Record<string, string>[] = [
    base,
    { ...base, location_id: desk.location.id },
    { ...base, specialist_id: desk.ids[0] ?? '' },
    { ...base, specialist_id: desk.ids[1] ?? '' },
    { ...base, date: dayAhead(8) },
    { ...base, date_to: dayAhead() },
    { ...base, date_to: dayAhead(8) },
    { ...base, exclude_reference: reference },
    { ...base, locale: 'de' },
  ];
  const cursors = await Promise.all(
    queries.map(async (query) => (await desk.slots({ ...query, limit: 1 })).data.next_cursor ?? ''),
  );
  expect(new Set(cursors).size).toBe(queries.length);
  for (const [i, query] of queries.entries()) {
    for (const [j, other] of cursors.entries()) {
      if (i === j) expect((await desk.slots({ ...query, limit: 1, cursor: other })).status).toBe(200);
      else await expectMismatch({ ...query, cursor: other });
    }
  }
});

test('rejects a cursor of another application of the same tenant', async () => {
  const other = partnerOf((await makeApplication(desk.tenant.id)).key);
  await expectMismatch({ ...base, cursor }, other);
});

test('rejects a cursor of the catalog', async () => {
  const own = await makeDesk();
  const { data } = await own.client(withQuery(CATALOG, { limit: 1 }), { operation: listCatalog });
  await expectMismatch({ ...base, cursor: data.next_cursor ?? 'none' });
});

test('rejects a cursor with any single character altered', async () => {
  for (let at = 0; at < cursor.length; at += 1) {
    const other = cursor.charAt(at) === 'A' ? 'B' : 'A';
    await expectMismatch({ ...base, cursor: cursor.slice(0, at) + other + cursor.slice(at + 1) });
  }
});

test('rejects empty and made-up cursors and does not echo them', async () => {
  const invented = marker() + marker();
  for (const bad of ['', '0', String(Date.now()), `${cursor} `, 'A'.repeat(10_000)]) {
    await expectMismatch({ ...base, cursor: bad });
  }
  expectNoEcho(await expectMismatch({ ...base, cursor: invented }), invented);
});
