import { expect, test } from 'vitest';
import { env } from '@/lib/platform/env';
import { FIGURES } from '@/tests/bench/figures';
import { runPlainSql } from '@/tests/bench/plain-create';
import { dayFromNow, emptyBookings, fillDays, makeSalon } from '@/tests/bench/salon';
import type { Stage } from '@/tests/bench/stage';
import { makeDesk } from '@/tests/support/bookings';
import { asSuperuser, createDatabase, openPool } from '@/tests/support/database';
import { launch } from '@/tests/support/launcher';
import { SOAK } from '@/tests/support/soak';

test('the benchmark can make bookings, and create some with plain SQL', async () => {
  // The benchmark also connects as a superuser.
  const url = asSuperuser(env().DATABASE_URL);
  const pool = openPool(url, 1);
  const { tenant, applicationId, days } = await makeDesk();
  const salon = await makeSalon({ tenantId: tenant.id, applicationId } as Stage, 2, 1);
  const { at, date } = dayFromNow(30);
  await fillDays(pool, salon, salon.specialistIds, at, 2);
  const of = (rows: string) => pool.query(`SELECT count(*)::int FROM ${rows} tenant_id = $1`, [tenant.id]);
  const { data } = await days({ service_ids: salon.serviceId, date });
  expect(data.combinations[0]?.days[0]?.first_slot?.start_time).toBe('00:15');
  const { requests: created } = await runPlainSql({ salon, connections: 1, seconds: 0.01, url });
  expect(created).toBeGreaterThan(0);
  expect((await of('slot_claims WHERE')).rows).toEqual([{ count: 160 + created }]);
  await pool.end();
});

test('the benchmark can remove all bookings of its database', async () => {
  const own = await createDatabase();
  const pool = openPool(own.adminUrl, 1);
  await emptyBookings(pool);
  await pool.end();
  await own.drop();
});

if (SOAK)
  test('a trial run measures every figure', { timeout: 3_600_000 }, async () => {
    const { ended, output } = launch({}, ['bench', '--quick']);
    expect(await ended(), output()).toBe(0);
    const [summary = ''] = output().trim().split('\n').slice(-1);
    expect(Object.keys(JSON.parse(summary))).toEqual(FIGURES.map(({ name }) => name));
  });
