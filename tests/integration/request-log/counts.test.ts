import { afterAll, beforeAll, expect, test } from 'vitest';
import { listApplications } from '@/lib/access/applications/list';
import { trafficByKey } from '@/lib/access/applications/traffic';
import { countRequests } from '@/lib/activity/request-log/counts';
import { periodOf, type RequestFilter, UNFILTERED } from '@/lib/control-center/requests/filter';
import { requestHistogram } from '@/lib/control-center/requests/histogram';
import { prune } from '@/lib/operations/retention/prune';
import { pool } from '@/lib/platform/db';
import { makeApplication, makeTenant } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { writeLines } from '@/tests/support/request-lines';
import { setLogDays } from '@/tests/support/retention';

// A database contains only one last counted hour, which is the same for all tenants. Other tests would change it, so
// this file has its own database.
let database: OwnDatabase;

beforeAll(async () => {
  database = await ownDatabase();
});

afterAll(() => database.drop());

const HOUR = 3_600_000;
const now = new Date();
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * HOUR).toISOString();

async function makeLog() {
  const { id: tenantId } = await makeTenant();
  const { applicationId, keyId } = await makeApplication(tenantId);
  const known = { tenant_id: tenantId, application_id: applicationId, key_id: keyId };
  const write = (hours: number, part: Parameters<typeof writeLines>[0][number] = {}) =>
    writeLines([{ at: hoursAgo(hours), ...known, ...part }]);
  const filter: RequestFilter = {
    tenantId,
    period: periodOf(now, '30d'),
    ...UNFILTERED,
  };
  const counts = async () => {
    const sql = 'SELECT sum(requests)::int AS sum FROM request_counts WHERE tenant_id = $1';
    return (await pool().query<{ sum: number | null }>(sql, [tenantId])).rows[0]?.sum ?? 0;
  };
  /**
   * Returns the numbers that the pages show. Before a call of `countRequests`, the pages compute them from the log
   * entries. After the call, the pages use the hourly counts, but the numbers must be the same.
   */
  const shown = async () => ({
    histograms: await Promise.all(
      [{}, { status: 'error' as const }, { code: 'not_found' }, { keyId }, { route: '/none' }].map(
        async (part) => (await requestHistogram({ ...filter, ...part })).bars,
      ),
    ),
    list: (await listApplications(now, tenantId, QUERY)).applications,
    keys: [...(await trafficByKey(tenantId, applicationId, new Date(now.getTime() - 24 * HOUR)))],
  });
  return { tenantId, applicationId, write, counts, shown };
}

const QUERY = { search: '', status: 'any', sort: 'name', direction: 'asc', page: 1 } as const;

test('the pages show the same before and after the hours are counted', async () => {
  const { write, counts, shown } = await makeLog();
  for (const hours of [0, 0.5, 1, 2, 5, 23, 23.9, 24.1, 30, 100, 700]) await write(hours);
  await write(3, { status: 404, code: 'not_found', key_id: null });
  await write(200, { status: 503, code: 'service_unavailable' });
  const before = await shown();
  expect(before.list[0]).toMatchObject({ requests_24h: 8, errors_24h: 1 });
  await countRequests(now);
  expect(await counts()).toBeGreaterThanOrEqual(9);
  expect(await shown()).toEqual(before);
});

test('each hour is counted once by concurrent runs, and again after a late entry', async () => {
  const { write, counts, shown } = await makeLog();
  await write(50);
  await write(50);
  await Promise.all([1, 2, 3, 4].map(() => countRequests(now)));
  expect(await counts()).toBe(2);
  expect(await countRequests(now)).toEqual({ hours: 0 });
  await write(50, { status: 400 });
  const late = await shown();
  await countRequests(now);
  expect(await counts()).toBe(3);
  expect(await shown()).toEqual(late);
});

test('an hour is counted only when it has passed, and removed after the retention of its tenant', async () => {
  const { tenantId, write, counts } = await makeLog();
  await write(0);
  await write(60);
  await countRequests(now);
  expect(await counts()).toBe(1);
  await countRequests(new Date(now.getTime() + 2 * HOUR));
  expect(await counts()).toBe(2);
  await setLogDays(tenantId, 1);
  await prune(now);
  expect(await counts()).toBe(1);
});
