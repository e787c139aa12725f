import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPool } from '@/tests/support/database';
import { makeTenant } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { setLogDays } from '@/tests/support/retention';

let database: OwnDatabase;
let server: pg.Pool;

beforeAll(async () => {
  database = await ownDatabase();
  server = openPool(database.url, 2);
});
afterAll(async () => {
  await server.end();
  await database.drop();
});

test('the servers’ role cannot remove one audit entry with a deletion of the tenant that it takes back', async () => {
  const tenant = await makeTenant();
  await setLogDays(tenant.id, 20);
  const before = (await database.query('SELECT id FROM audit_log WHERE tenant_id = $1 ORDER BY 1', [tenant.id])).rows;
  expect(before.length).toBeGreaterThan(0);
  const client = await server.connect();
  const run = async () => {
    await client.query('BEGIN');
    await client.query('UPDATE tenants SET suspended_at = now(), deletion_began_at = now() WHERE id = $1', [tenant.id]);
    await client.query(`INSERT INTO tenant_deletions (tenant_id, name, began_at) VALUES ($1, 'x', now())`, [tenant.id]);
    await client.query('DELETE FROM audit_log WHERE id = $1', [before.at(-1)?.id]);
    await client.query('UPDATE tenant_deletions SET finished_at = now() WHERE tenant_id = $1', [tenant.id]);
    await client.query('UPDATE tenants SET suspended_at = NULL, deletion_began_at = NULL WHERE id = $1', [tenant.id]);
    await client.query('COMMIT');
  };
  await run().catch(() => client.query('ROLLBACK'));
  client.release();
  const after = (await database.query('SELECT id FROM audit_log WHERE tenant_id = $1 ORDER BY 1', [tenant.id])).rows;
  expect(after).toEqual(before);
});
