import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSession } from '@/lib/access/owners/session';
import { flushRefusedCalls, recordRefusedCall } from '@/lib/activity/audit/refused-calls';
import { createPartition, partitionOf } from '@/lib/activity/request-log/partitions';
import { beginExport, endExport } from '@/lib/control-center/exports/record';
import { deleteTenant } from '@/lib/operations/tenants/delete';
import { setTenantSuspended } from '@/lib/operations/tenants/suspend';
import { makePerson, type Person } from '@/tests/support/control-center';
import { openPool } from '@/tests/support/database';
import { makeTenant } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { writeLines } from '@/tests/support/request-lines';
import { setLogDays } from '@/tests/support/retention';

// An attacker who runs SQL with the servers' role, for example through a defect, cannot remove traces.
let database: OwnDatabase;
let server: pg.Pool;
let tenant: { id: string; name: string };
let person: Person;

const DAY = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * DAY);
const now = new Date();
const known = () => ({ tenant_id: tenant.id, application_id: 'app_01jgfjjzz8e008000000000001' });
const DENIED = { code: '42501' };

beforeAll(async () => {
  database = await ownDatabase();
  server = openPool(database.url, 2);
});

afterAll(async () => {
  await server.end();
  await database.drop();
});

async function makeLogs(): Promise<void> {
  tenant = await makeTenant();
  person = await makePerson(tenant.id);
  await setLogDays(tenant.id, 20);
  await setLogDays(tenant.id, 30);
  for (const at of [now, ago(40)])
    await openSession(at, { userId: person.userId, method: 'password', address: '192.0.2.1' }, null);
  recordRefusedCall(now, { userId: person.userId, tenantId: tenant.id, procedure: 'team.list', code: 'forbidden' });
  await flushRefusedCalls();
  await writeLines([{ at: ago(2).toISOString(), ...known() }, { at: ago(3).toISOString() }]);
}

const LOGS = ['audit_log', 'sign_ins', 'refused_calls', 'request_log'] as const;

const rowsOf = async (): Promise<unknown[]> => {
  const found = await Promise.all(LOGS.map((log) => database.query(`SELECT * FROM ${log} ORDER BY 1, 2`)));
  return found.map(({ rows }) => rows);
};

/** Runs statements in one transaction with the servers' role. */
async function run(...statements: string[]): Promise<void> {
  const client = await server.connect();
  try {
    await client.query('BEGIN');
    for (const statement of statements) await client.query(statement);
    await client.query('COMMIT');
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** Attempts of the servers' role. TENANT and USER stand for the ids. */
const ATTEMPTS = [
  ['DELETE FROM audit_log'],
  ["UPDATE audit_log SET actor_id = NULL, actor_kind = 'system'"],
  ["UPDATE audit_log SET after = '{}'"],
  ["UPDATE audit_log SET at = at - interval '1 day'"],
  ['DELETE FROM sign_ins'],
  [`UPDATE sign_ins SET network = '192.0.2.9'`],
  ["UPDATE sign_ins SET at = at - interval '1 ms'"],
  ['DELETE FROM refused_calls'],
  ["UPDATE refused_calls SET procedure = 'team.invite'"],
  ['DELETE FROM request_log'],
  ['UPDATE request_log SET address = NULL'],
  // A foreign key would delete the rows.
  [`DELETE FROM memberships`, `DELETE FROM users WHERE id = 'USER'`],
  [`UPDATE users SET id = overlay(id PLACING '7' FROM 5 FOR 1) WHERE id = 'USER'`],
  // A shorter retention.
  ['UPDATE tenants SET request_log_days = 1'],
  ['UPDATE tenants SET request_log_days = 1', 'DELETE FROM request_log'],
  ['UPDATE tenants SET request_log_days = 20'],
  // The deletion of a tenant.
  ['UPDATE tenants SET suspended_at = now(), deletion_began_at = now()', 'DELETE FROM audit_log'],
  [`INSERT INTO tenant_deletions (tenant_id, name, began_at) VALUES ('TENANT', 'x', now())`, 'DELETE FROM audit_log'],
  [
    'UPDATE tenants SET suspended_at = now(), deletion_began_at = now()',
    `INSERT INTO tenant_deletions (tenant_id, name, began_at) VALUES ('TENANT', 'x', now())`,
    `DELETE FROM audit_log WHERE tenant_id = 'TENANT'`,
    `DELETE FROM tenant_deletions`,
  ],
  [`UPDATE tenants SET id = overlay(id PLACING '7' FROM 5 FOR 1)`],
  ['DELETE FROM tenants'],
  // An entry from the future would stay the newest.
  [
    `INSERT INTO audit_log (id, at, tenant_id, actor_kind, action, object_kind, object_id, after)
      VALUES ('aud_01jgfjjzz8e008000000000001', now() + interval '1 day', 'TENANT', 'system', 'retention.changed', 'tenant', 'TENANT', '{"request_log_days": 1}')`,
    'UPDATE tenants SET request_log_days = 1',
  ],
  // A search path of the attacker.
  ['SET LOCAL search_path = pg_catalog', 'DELETE FROM public.audit_log'],
  [`SET LOCAL partner_booking.tenant = 'TENANT'`, 'DELETE FROM audit_log'],
] as const;

describe('the role of the servers', () => {
  // Once, because no attempt changes anything.
  beforeAll(makeLogs);

  test.each(ATTEMPTS.map((statements) => [statements.join('; '), statements] as const))(
    'may not: %s',
    async (_, statements) => {
      const before = await rowsOf();
      const own = statements.map((one) => one.replaceAll('TENANT', tenant.id).replaceAll('USER', person.userId));
      await expect(run(...own)).rejects.toMatchObject(DENIED);
      expect(await rowsOf()).toEqual(before);
    },
  );

  test('may not drop a day of the request log that the retention of a tenant keeps', async () => {
    const day = ago(15);
    const client = await server.connect();
    await client.query('BEGIN');
    expect(await createPartition(client, day)).toBe(true);
    await client.query('COMMIT');
    client.release();
    const lines = Array.from({ length: 2_001 }, () => ({ at: day.toISOString(), ...known() }));
    await writeLines(lines);
    const detach = async () =>
      (await server.query('SELECT detach_request_log_partition($1) AS detached', [partitionOf(day)])).rows[0]?.detached;
    const left = async () =>
      (await database.query('SELECT FROM request_log WHERE tenant_id = $1 AND at < $2', [tenant.id, ago(10)])).rowCount;
    expect(await detach()).toBe(false);
    // A new tenant with a short retention does not shorten the retention of another.
    const other = await makeTenant();
    await setLogDays(other.id, 1);
    expect(await detach()).toBe(false);
    expect(await left()).toBe(2_001);
    // The few entries that must be kept move to another partition, whatever the caller does after that.
    await setLogDays(tenant.id, 3);
    await writeLines([{ at: day.toISOString() }]);
    expect(await detach()).toBe(true);
    expect(await left()).toBe(0);
    const { rowCount } = await database.query('SELECT FROM request_log WHERE tenant_id IS NULL AND at < $1', [ago(10)]);
    expect(rowCount).toBe(1);
  });
});

describe('with new logs', () => {
  beforeEach(makeLogs);

  test('an export states its outcome once, and the entry keeps its other fields', async () => {
    const actor = { kind: 'owner', id: person.userId, tenantId: tenant.id } as const;
    const given = { tenantId: tenant.id, actor, list: 'audit', filters: { action: 'key.issued' } } as const;
    const id = await beginExport(now, given);
    await expect(
      server.query(`UPDATE audit_log SET after = '{"rows": 1, "result": "complete"}' WHERE id = $1`, [id]),
    ).rejects.toMatchObject(DENIED);
    await endExport(id, { rows: 1, result: 'complete' });
    // A second outcome changes nothing.
    await endExport(id, { rows: 0, result: 'failed' });
    await expect(
      server.query(`UPDATE audit_log SET after = after || '{"rows": 0}' WHERE id = $1`, [id]),
    ).rejects.toMatchObject(DENIED);
    const { rows } = await database.query('SELECT after FROM audit_log WHERE id = $1', [id]);
    expect(rows).toEqual([{ after: { action: 'key.issued', rows: 1, result: 'complete' } }]);
  });

  test('rows whose retention has ended can be deleted', async () => {
    const { userId } = person;
    await openSession(ago(90), { userId, method: 'password', address: '192.0.2.1' }, null);
    recordRefusedCall(ago(90), { userId, tenantId: tenant.id, procedure: 'team.list', code: 'forbidden' });
    await flushRefusedCalls();
    await setLogDays(tenant.id, 1);
    const deleted = async (sql: string) => (await server.query(sql, [tenant.id])).rowCount;
    expect(await deleted(`DELETE FROM sign_ins WHERE tenant_id = $1 AND at < now() - interval '89 days'`)).toBe(1);
    expect(await deleted(`DELETE FROM refused_calls WHERE tenant_id = $1 AND at < now() - interval '89 days'`)).toBe(1);
    expect(await deleted('DELETE FROM request_log WHERE tenant_id = $1')).toBe(1);
  });

  test('a tenant cannot be deleted in one transaction, and a deleted one not inserted again', async () => {
    const begin = [
      'UPDATE tenants SET suspended_at = now(), deletion_began_at = now()',
      `INSERT INTO tenant_deletions (tenant_id, name, began_at) VALUES ('${tenant.id}', 'x', now() - interval '1 day')`,
    ];
    const end = [
      `DELETE FROM request_log WHERE tenant_id = '${tenant.id}'`,
      `DELETE FROM audit_log WHERE tenant_id = '${tenant.id}'`,
      `DELETE FROM tenants WHERE id = '${tenant.id}'`,
      `UPDATE tenant_deletions SET finished_at = now() WHERE tenant_id = '${tenant.id}'`,
    ];
    const before = await rowsOf();
    for (const last of end.slice(0, 3)) await expect(run(...begin, last)).rejects.toMatchObject(DENIED);
    await expect(run(...begin, ...end)).rejects.toMatchObject(DENIED);
    expect(await rowsOf()).toEqual(before);
    await run(...begin.map((sql) => sql.replace(/now\(\)$/, `now() WHERE id = '${tenant.id}'`)));
    for (const times of ['began_at = now()', `recorded_at = recorded_at - interval '1 day'`])
      await expect(run(`UPDATE tenant_deletions SET ${times}`)).rejects.toMatchObject(DENIED);
    // While entries exist, the tenant remains.
    await expect(run(end[2] ?? '')).rejects.toMatchObject(DENIED);
    const { rows } = await database.query('SELECT to_jsonb(t) AS tenant FROM tenants t WHERE id = $1', [tenant.id]);
    const again = { ...rows[0].tenant, deletion_began_at: null };
    await run(...end);
    const insert = `INSERT INTO tenants SELECT * FROM jsonb_populate_record(NULL::tenants, '${JSON.stringify(again)}')`;
    await expect(run(insert)).rejects.toMatchObject(DENIED);
    // The search path of the attacker changes nothing.
    await expect(
      run('CREATE TEMP TABLE tenant_deletions (tenant_id text)', insert.replaceAll('tenants', 'public.tenants')),
    ).rejects.toMatchObject(DENIED);
  });

  test('a tenant is deleted with its logs, and the record of the deletion is kept', async () => {
    await setTenantSuspended(now, tenant.id, true);
    const { rows } = await deleteTenant(
      now,
      database.url,
      { tenantId: tenant.id, confirm: tenant.name },
      { settle: 0 },
    );
    expect(rows).toMatchObject({ sign_ins: 2, refused_calls: 1, request_log: 1, tenants: 1, users: 1 });
    for (const sql of [
      'DELETE FROM tenant_deletions',
      `UPDATE tenant_deletions SET name = 'x'`,
      'UPDATE tenant_deletions SET finished_at = NULL',
    ])
      await expect(server.query(sql)).rejects.toMatchObject(DENIED);
  });
});
