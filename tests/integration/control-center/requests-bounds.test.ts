import { expect, test } from 'vitest';
import { periodOf, type RequestFilter, UNFILTERED } from '@/lib/control-center/requests/filter';
import { type Page, searchRequests } from '@/lib/control-center/requests/search';
import { ago } from '@/tests/support/request-lines';
import { makeLog } from './requests-lines';

const DAY = 86_400;

/**
 * Reads all pages. With a time limit of 0, each search stops after its first query. Returns the request ids, and the
 * number of searches that were stopped (`ended`).
 */
async function readAll(filter: RequestFilter, start: Page) {
  const ids: string[] = [];
  let ended = 0;
  let page = start;
  for (let turn = 0; turn < 60; turn += 1) {
    const { rows, next, searched_to } = await searchRequests(filter, page, 0);
    ids.push(...rows.map((row) => row.request_id));
    if (searched_to) ended += 1;
    if (next === null) return { ids, ended };
    page = { ...page, cursor: next };
  }
  throw new Error('The search does not end.');
}

test('a search that takes too long ends with a page, from which the next one continues without a gap', async () => {
  const { tenant, write } = await makeLog();
  const days = [0.01, 0.4, 1.2, 1.21, 3, 3.00001, 9, 20, 28];
  const lines = await write(...days.map((days) => ({ at: ago(days * DAY) })));
  const filter: RequestFilter = {
    tenantId: tenant.id,
    period: periodOf(new Date(), '30d'),
    ...UNFILTERED,
  };
  const expected = lines.map((line) => line.request_id);
  for (const order of ['newest', 'oldest'] as const) {
    const { ids, ended } = await readAll(filter, { order, cursor: null, back: false });
    expect(ids).toEqual(order === 'newest' ? expected : expected.toReversed());
    expect(ended).toBeGreaterThan(20);
    const whole = await searchRequests(filter, { order, cursor: null, back: false });
    expect([whole.rows.length, whole.next, whole.searched_to]).toEqual([9, null, null]);
  }
  // With a time limit of 0, the search stops before it finds anything. `previous` must not be null, because with it,
  // the search can be continued.
  const cursor = `${lines.at(-1)?.at}_${expected.at(-1)}`;
  const back = await searchRequests(filter, { order: 'newest', cursor, back: true }, 0);
  expect([back.rows, back.previous === null]).toEqual([[], false]);
});
