import { expect, test } from 'vitest';
import { busyValues, claimsValues, READ_BUSY, READ_CLAIMS } from '@/lib/booking/availability/claims';
import { SERVER } from '@/lib/platform/postgres/roles';
import { bind } from '@/lib/platform/sql';
import { withSuperuser } from '@/tests/support/database';

const SPECIALISTS = 20;
const id = (prefix: string, number: number) => `${prefix}_${String(number).padStart(26, '0')}`;

// Inserts claims, but not the tenant, specialists, service, and location to which they refer. This works because the
// test disables foreign keys.
const FILL = `
  INSERT INTO slot_claims (id, tenant_id, specialist_id, service_id, location_id, starts_at, ends_at, during, capacity, taken)
  SELECT gen_random_uuid(), $1, 'spc_' || lpad(n::text, 26, '0'), $2, $3, at, at + interval '1 hour',
    tstzrange(at, at + interval '1 hour'), 1, 1
  FROM generate_series(1, ${SPECIALISTS}) n,
    generate_series($4::timestamptz, $4::timestamptz + interval '40 days', interval '2 hours') at`;

test('claims are read by specialist and range, for dates after the last ANALYZE, and without any ANALYZE', async () => {
  await withSuperuser(async (client) => {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    const values = [id('ten', 1), id('svc', 1), id('loc', 1)];
    await client.query(FILL, [...values, '2031-01-01T00:00:00Z']);
    await client.query('ANALYZE slot_claims');
    await client.query(FILL, [...values, '2032-01-01T00:00:00Z']);
    const from = Date.parse('2032-01-10T00:00:00Z') / 60_000;
    const specialistIds = [1, 2, 3, 4, 5].map((number) => id('spc', number));
    const asked = { specialistIds, location: { id: id('loc', 1), tenantId: id('ten', 1) } };
    const range = { from, to: from + 1440 };
    const reads = {
      write: bind(READ_CLAIMS, claimsValues({ ...asked, ...range })),
      read: bind(
        READ_BUSY,
        busyValues([{ ...asked, ranges: [range, { from: from + 2880, to: from + 3000 }], room: 60 }]),
      ),
    };
    for (const statistics of ['old', 'none']) {
      if (statistics === 'none') await client.query(FORGET);
      // Row-level security policies apply only to the servers' role.
      await client.query(`SET LOCAL ROLE ${SERVER}`);
      for (const [name, read] of Object.entries(reads)) {
        for (const mode of ['force_custom_plan', 'force_generic_plan']) {
          await client.query(`SET LOCAL plan_cache_mode = ${mode}`);
          const { rows } = await client.query(`EXPLAIN ${read.text}`, read.values);
          const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
          const what = `${name}, ${statistics} statistics, ${mode}`;
          expect(plan, what).toContain('slot_claims_no_overlap');
          expect(plan, what).toMatch(/Index Cond: .*specialist_id = .*during && /);
          expect(plan, what).toContain('slot_claims_overlapping');
          expect(plan, what).toMatch(/block_days_pkey.*\n.*Index Cond: .*subject_id = .*day >= .*day <= /);
          expect(plan, what).not.toContain('Seq Scan');
        }
      }
      await client.query('RESET ROLE');
    }
  });
});

/** Removes the statistics of the table, as after a restore. */
const FORGET = `DELETE FROM pg_statistic WHERE starelid = 'slot_claims'::regclass`;
