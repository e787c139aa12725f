import { counters } from '@/lib/activity/metrics/counters';
import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { bind, nullable, param, sql, statement } from '@/lib/platform/sql';
import { acrossTenants } from '@/lib/platform/tenant-scope';

export type SignInOutcome = 'signed_in' | 'wrong_password' | 'wrong_second_factor' | 'wrong_identity';

/** The last step of a sign-in. */
export type SignInMethod = 'password' | 'provider' | 'totp' | 'passkey' | 'recovery_code';

/** In which a failed sign-in is recorded. */
const MAX_TENANTS = 50;

const startOfMinute = (now: Date) => new Date(Math.floor(now.getTime() / 60_000) * 60_000);

// A row stands for all sign-ins of a user in one minute with the same outcome, method, and network.
const ADD = sql`ON CONFLICT (user_id, network, outcome, method, minute, tenant_id)
  DO UPDATE SET attempts = s.attempts + 1, at = GREATEST(s.at, EXCLUDED.at)`;

// A session of an earlier version has no method. Its sign-in is recorded in all tenants already.
const RECORD = statement<never>('sign-in-record')`
  WITH opened AS (
    UPDATE sessions o SET opened = o.opened || m.tenant_id FROM memberships m
    WHERE o.id = ${param.text('sessionId')} AND o.method IS NOT NULL AND m.user_id = o.user_id
      AND m.tenant_id = coalesce(${nullable(param.text('tenantId'))},
        (SELECT min(tenant_id) FROM memberships WHERE user_id = o.user_id HAVING count(*) = 1))
      AND m.tenant_id <> ALL (o.opened)
    RETURNING m.tenant_id, o.user_id, o.method, o.network)
  INSERT INTO sign_ins AS s (id, tenant_id, user_id, outcome, method, network, minute, at)
  SELECT ${param.text('id')}, tenant_id, user_id, 'signed_in', method, network, ${param.timestamptz('minute')},
    ${param.timestamptz('now')} FROM opened
  ${ADD}`;

/**
 * Records a sign-in in a tenant that its session opens, once per session and tenant. A tenant sees only the sign-ins
 * that open it, at that time: others would show that the person has another tenant. With `tenantId` null, it is
 * recorded only for a person with one tenant.
 */
export async function recordSignIn(now: Date, sessionId: string, tenantId: string | null): Promise<void> {
  const row = { sessionId, tenantId, id: newId('sgn'), minute: startOfMinute(now), now };
  await acrossTenants(() => pool().query(bind(RECORD, row)));
}

type Failure = {
  /** In whose tenants the failure is recorded. */
  userIds: string[];
  outcome: Exclude<SignInOutcome, 'signed_in'>;
  method: SignInMethod;
  /** Null for a wrong password of a `crowded` account, because many networks would add a row for each. */
  address: string | null;
};

// An account opens all its tenants, so each gets a row.
const RECORD_FAILURE = statement<never>('sign-in-record-failure')`
  INSERT INTO sign_ins AS s (id, tenant_id, user_id, outcome, method, network, minute, at)
  SELECT ids.id, m.tenant_id, m.user_id, ${param.text('outcome')}, ${param.text('method')},
    ${nullable(param.text('network'))}, ${param.timestamptz('minute')}, ${param.timestamptz('at')}
  FROM (SELECT tenant_id, user_id,
        row_number() OVER (ORDER BY last_used_at DESC NULLS LAST, created_at, tenant_id) AS number
      FROM memberships WHERE user_id = ANY (${param.texts('userIds')})) m
    JOIN unnest(${param.texts('ids')}) WITH ORDINALITY ids (id, number) USING (number)
  ORDER BY m.tenant_id
  ${ADD}`;

/** Records a failed sign-in, and counts it in the metrics. */
export async function recordFailure(now: Date, { address, ...failure }: Failure): Promise<void> {
  countSignIn(failure.outcome);
  const network = address === null ? null : networkOf(address);
  const ids = Array.from({ length: MAX_TENANTS }, () => newId('sgn'));
  const row = { ...failure, ids, network, minute: startOfMinute(now), at: now };
  await acrossTenants(() => pool().query(bind(RECORD_FAILURE, row)));
}

/** In the background, so that the response takes no longer for a member than for an unknown user. */
export function recordFailureLater(now: Date, failure: Failure): void {
  recordFailure(now, failure).catch((error: unknown) => log().warn({ err: error }, 'a sign-in could not be recorded'));
}

/** Counts a sign-in in the metrics. */
export function countSignIn(outcome: SignInOutcome | 'unknown_user' | 'delayed'): void {
  counters()?.signIns.inc({ outcome });
}

// All accounts with this address count. An owner could otherwise add an account with any address, sign in to it, and
// see from the missing delay whether the address has a proven account.
const IS_KNOWN = statement<{ found: boolean }>('sign-in-known')`
  SELECT EXISTS (SELECT FROM sign_ins s JOIN users u ON u.id = s.user_id
    WHERE u.email = ${param.text('email')} AND s.network = ${param.text('network')} AND s.outcome = 'signed_in') AS found`;

const IS_KNOWN_OF_USER = statement<{ found: boolean }>('sign-in-known-of-user')`
  SELECT EXISTS (SELECT FROM sign_ins WHERE user_id = ${param.text('userId')} AND network = ${param.text('network')}
    AND outcome = 'signed_in') AS found`;

/** Returns whether this user has signed in from this network. Others can have accounts with the same email address. */
export async function hasUserSignedInFrom(userId: string, address: string): Promise<boolean> {
  const query = bind(IS_KNOWN_OF_USER, { userId, network: networkOf(address) });
  const { rows } = await acrossTenants(() => pool().query<{ found: boolean }>(query));
  return rows[0]?.found ?? false;
}

/** Returns whether the user with this email address has signed in from the network of `address` before. */
export async function hasSignedInFrom(email: string, address: string): Promise<boolean> {
  const query = bind(IS_KNOWN, { email, network: networkOf(address) });
  const { rows } = await acrossTenants(() => pool().query<{ found: boolean }>(query));
  return rows[0]?.found ?? false;
}
