import { expect, test } from 'vitest';
import { readBusy } from '@/lib/booking/availability/claims';
import { readSharedBusy } from '@/lib/booking/availability/shared-reads';
import { readRows } from '@/lib/platform/db';
import { makeDesk } from '@/tests/support/bookings';
import { recordStatements } from '@/tests/support/statements';
import { makeBlock } from '../control-center/every-procedure-names';

const DAY = 1_440;
const today = Math.floor(Date.now() / 86_400_000) * DAY;

/**
 * Creates bookings in two businesses. Returns four requests for the claims of these bookings, and the result of each
 * request when it runs alone. Two of the requests are identical.
 */
async function prepare() {
  const desks = [await makeDesk({ specialists: 2 }), await makeDesk()];
  for (const { book } of desks) for (const time of ['10:00', '12:30']) await book(time);
  for (const { tenant, ids } of desks) await makeBlock(tenant.id, ids[0] ?? '');
  const asked = desks.map(({ ids, location, tenant }) => ({
    specialistIds: ids,
    location: { id: location.id, tenantId: tenant.id },
  }));
  const [first, second] = asked;
  if (!first || !second) throw new Error('no desks');
  const narrow = { ...first, specialistIds: first.specialistIds.slice(0, 1) };
  const requests = [first, second, first, narrow].map((request) => ({
    ...request,
    ranges: [{ from: today, to: today + 20 * DAY }],
    room: 60,
  }));
  const alone = [];
  for (const request of requests) alone.push((await readBusy(readRows, [request]))[0]);
  return { requests, alone };
}

test('reads that arrive together are one query, and each gets its own claims', async () => {
  const { requests, alone } = await prepare();
  const { result: results, sent } = await recordStatements(() => Promise.all(requests.map(readSharedBusy)));
  expect(sent).toHaveLength(1);
  expect(results.map(({ claims }) => claims.length)).not.toContain(0);
  expect(results.map(({ blocks }) => blocks.length)).not.toContain(0);
  const sorted = (busy?: (typeof results)[number]) =>
    [...(busy?.claims ?? []), ...(busy?.blocks ?? [])].map((group) => JSON.stringify(group)).sort();
  expect(results.map(sorted)).toEqual(alone.map(sorted));
});

test('a read of many specialist days has a query of its own', async () => {
  const { requests } = await prepare();
  const [request] = requests;
  if (!request) throw new Error('no request');
  const wide = { ...request, ranges: [{ from: today, to: today + 60 * DAY }] };
  const { sent } = await recordStatements(() => Promise.all([wide, request, wide].map(readSharedBusy)));
  expect(sent).toHaveLength(3);
});
