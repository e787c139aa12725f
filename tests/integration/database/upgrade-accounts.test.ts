import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { createEmptyDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { makeUpgraded, UPGRADE, type Upgraded } from '@/tests/support/upgraded';
import { id } from './row';

const PROOF = '20261128220000_proof_of_an_address';

let database: TestDatabase;
let pool: pg.Pool;
/** A copy of the migrations without the one that separates accounts, and those after it. */
let before: Upgraded;

beforeAll(async () => {
  database = await createEmptyDatabase();
  pool = openPool(database.ownerUrl);
  before = await makeUpgraded();
  for (const name of [UPGRADE, PROOF, '20261128220100_names_of_businesses', '20261201160000_address_links'])
    await rm(join(before.root, 'prisma', 'migrations', name), { recursive: true });
}, 60_000);

afterAll(async () => {
  await pool.end();
  await database.drop();
  await before.remove();
});

const at = (hour: number) => `2026-09-14T${String(hour).padStart(2, '0')}:00:00Z`;
let entries = 0;

async function user(number: number, created: number): Promise<void> {
  await pool.query(
    `INSERT INTO users (id, email, name, password_hash, created_at) VALUES ($1, $2, 'A', '$argon2id$v=19$m=1,t=1,p=1$a$b', $3)`,
    [id('usr', number), `person-${number}@example.com`, at(created)],
  );
}

/** Adds a member who has accepted an invitation by `by`: the operator, or an owner. */
async function joined(number: number, tenant: number, hour: number, by: 'operator' | 'owner'): Promise<void> {
  const invitation = id('inv', 10 * number + tenant);
  await pool.query(`INSERT INTO memberships (tenant_id, user_id, role, created_at) VALUES ($1, $2, 'OWNER', $3)`, [
    id('ten', tenant),
    id('usr', number),
    at(hour),
  ]);
  const audit = `INSERT INTO audit_log (id, at, tenant_id, actor_kind, actor_id, action, object_kind, object_id, after)
    VALUES ($1, $2, $3, $4, $5, $6, 'user', $7, $8)`;
  const user = id('usr', number);
  const actor = by === 'owner' ? id('usr', 9) : null;
  entries += 2;
  await pool.query(audit, [
    id('aud', entries),
    at(hour),
    id('ten', tenant),
    by,
    actor,
    'invitation.created',
    invitation,
    {},
  ]);
  const after = { invitation_id: invitation };
  const rest = [id('ten', tenant), 'owner', user, 'member.joined', user, after];
  await pool.query(audit, [id('aud', entries + 1), at(hour), ...rest]);
}

test('existing accounts keep one tenant, or all if their password came through the operator', {
  timeout: 60_000,
}, async () => {
  await applyMigrations(database.ownerUrl, before.root);
  for (const tenant of [1, 2])
    await pool.query(
      `INSERT INTO tenants (id, name, time_zone, default_locale, locales) VALUES ($1, 'A', 'UTC', 'en', '{en}')`,
      [id('ten', tenant)],
    );
  // Invited by the operator first, and later by an owner with the same password.
  await user(1, 1);
  await joined(1, 1, 1, 'operator');
  await joined(1, 2, 5, 'owner');
  // Invited by an owner, and later by the operator: the owner can have chosen the password.
  await user(2, 2);
  await joined(2, 1, 2, 'owner');
  await joined(2, 2, 6, 'operator');
  // Invited by an owner, one tenant.
  await user(3, 3);
  await joined(3, 1, 3, 'owner');
  // A member whose account is older than the membership: the account can have had another password before.
  await user(4, 1);
  await joined(4, 1, 4, 'operator');
  // A former member.
  await user(5, 1);
  await applyMigrations(database.ownerUrl);
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT u.email, u.address_proven_at IS NOT NULL AS proven, u.password_hash IS NOT NULL AS password, u.tenant_id AS bound,
       array(SELECT tenant_id FROM memberships m WHERE m.user_id = u.id ORDER BY 1) AS tenants
     FROM users u ORDER BY u.email, u.tenant_id`,
  );
  const [one, two] = [id('ten', 1), id('ten', 2)];
  const account = (number: number, proven: boolean, password: boolean, bound: string | null, tenants: string[]) => ({
    email: `person-${number}@example.com`,
    proven,
    password,
    bound,
    tenants,
  });
  expect(rows).toEqual([
    account(1, true, true, null, [one, two]),
    account(2, false, true, one, [one]),
    account(2, false, false, two, [two]),
    account(3, false, true, one, [one]),
    account(4, false, true, one, [one]),
    account(5, false, true, null, []),
  ]);
  const { rows: replaced } = await pool.query(
    `SELECT tenant_id, before->>'user_id' AS before FROM audit_log WHERE action = 'member.account_replaced'`,
  );
  expect(replaced).toEqual([{ tenant_id: two, before: id('usr', 2) }]);
});
