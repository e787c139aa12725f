import { expect, test } from 'vitest';
import { GET as getAvailability } from '@/app/api/partner/v1/availability/route';
import { GET as getBookings } from '@/app/api/partner/v1/bookings/route';
import type { RouteHandler } from '@/lib/http/partner-api/web';
import { AVAILABILITY, BOOKINGS, type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { withQuery } from '@/tests/support/paths';

const SPECIALISTS = 10;
const READS = 60;
/** Number of days in a medium read and in a wide read. A small read contains one day. */
const MEDIUM = 3;
const WIDE = 31;

/** Calls the route of `GET /availability` for all specialists of a desk. Returns the status. */
function read({ key, service, location }: Desk, days: number): Promise<number> {
  const range = { date: dayAhead(7), date_to: dayAhead(6 + days), limit: 96 };
  return call(
    getAvailability,
    key,
    withQuery(AVAILABILITY, { service_id: service.id, location_id: location.id, ...range }),
  );
}

/** Calls the route of `GET /bookings` for one external reference. Returns the status. */
function list({ key }: Desk): Promise<number> {
  return call(getBookings, key, withQuery(BOOKINGS, { external_reference: 'order-4711', limit: 100 }));
}

async function call({ respond }: RouteHandler, key: string, target: string): Promise<number> {
  const [path = '', search = ''] = target.split('?');
  const request = { begun: performance.now(), method: 'GET', path, search, address: '127.0.0.1' };
  const readBytes = async () => Buffer.alloc(0);
  return (await respond({ ...request, headers: { authorization: `Bearer ${key}` }, readBytes })).status;
}

test('an application with many large reads hardly delays the reads of another application', async () => {
  const busy = await makeDesk({ specialists: SPECIALISTS, policy: { quota: 100_000 } });
  const other = await makeDesk({ specialists: SPECIALISTS });
  // The first reads load the policies and the catalogs.
  expect(await Promise.all([read(busy, 1), read(other, 1)])).toEqual([200, 200]);
  const order: string[] = [];
  const readAs = async (name: string, desk: Desk, days: number) => {
    const status = await read(desk, days);
    order.push(name);
    return status;
  };
  const reads = Array.from({ length: READS }, (_, index) => readAs('busy', busy, index % 2 === 0 ? WIDE : MEDIUM));
  reads.push(readAs('small', other, 1), readAs('medium', other, MEDIUM), readAs('wide', other, WIDE));
  expect(new Set(await Promise.all(reads))).toEqual(new Set([200]));
  // If the applications did not take turns, these three reads would end last.
  for (const name of ['small', 'medium', 'wide']) expect(order.indexOf(name)).toBeLessThan(READS / 2);
});

test('an application with many lists of bookings hardly delays a list of another application', async () => {
  const [busy, other] = [await makeDesk({ policy: { quota: 100_000 } }), await makeDesk()];
  for (const { book } of [busy, other]) for (const start of ['10:00', '11:00', '12:00']) await book(start);
  const order: string[] = [];
  const listAs = async (name: string, desk: Desk) => {
    const status = await list(desk);
    order.push(name);
    return status;
  };
  const lists = Array.from({ length: READS }, () => listAs('busy', busy));
  lists.push(listAs('other', other));
  expect(new Set(await Promise.all(lists))).toEqual(new Set([200]));
  expect(order.indexOf('other')).toBeLessThan(READS / 2);
});
