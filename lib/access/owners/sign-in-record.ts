import { counters } from '@/lib/activity/metrics/counters';
import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { bind, nullable, param, statement } from '@/lib/platform/sql';
import { acrossTenants } from '@/lib/platform/tenant-scope';

export type SignInOutcome = 'signed_in' | 'wrong_password' | 'wrong_second_factor' | 'wrong_identity';

/** The method of the last step of a sign-in. */
export type SignInMethod = 'password' | 'provider' | 'totp' | 'passkey' | 'recovery_code';

type Entry = {
  userId: string;
  outcome: SignInOutcome;
  method: SignInMethod;
  /**
   * Null for a wrong password if the account had too many attempts in this minute (`crowded` in sign-in-delay.ts). All
   * such failures of a minute are recorded in one row. If their addresses were recorded, an attacker who uses many
   * networks would add a row for each network.
   */
  address: string | null;
};

/** Maximum number of tenants in which a sign-in is recorded. */
const MAX_TENANTS = 50;

// A row stands for all sign-ins of a user in one minute with the same outcome, method, and network. Each tenant of
// the user gets a row, because a session gives access to all of them. A user without a membership gets no row.
const RECORD = statement<never>('sign-in-record')`
  INSERT INTO sign_ins AS s (id, tenant_id, user_id, outcome, method, network, minute, at)
  SELECT ids.id, m.tenant_id, ${param.text('userId')}, ${param.text('outcome')}, ${param.text('method')},
    ${nullable(param.text('network'))}, ${param.timestamptz('minute')}, ${param.timestamptz('at')}
  FROM (SELECT tenant_id, row_number() OVER (ORDER BY last_used_at DESC NULLS LAST, created_at, tenant_id) AS number
      FROM memberships WHERE user_id = ${param.text('userId')}) m
    JOIN unnest(${param.texts('ids')}) WITH ORDINALITY ids (id, number) USING (number)
  ON CONFLICT (user_id, network, outcome, method, minute, tenant_id)
  DO UPDATE SET attempts = s.attempts + 1, at = GREATEST(s.at, EXCLUDED.at)`;

/** Records a member's successful or failed sign-in, and counts it in the metrics. */
export async function recordSignIn(now: Date, { userId, outcome, method, address }: Entry): Promise<void> {
  countSignIn(outcome);
  const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000);
  const network = address === null ? null : networkOf(address);
  const ids = Array.from({ length: MAX_TENANTS }, () => newId('sgn'));
  const row = { ids, userId, outcome, method, network, minute, at: now };
  await acrossTenants(() => pool().query(bind(RECORD, row)));
}

/**
 * Records a failed sign-in in the background. The response therefore takes no longer for a member than for an
 * unknown user.
 */
export function recordFailure(now: Date, entry: Entry): void {
  recordSignIn(now, entry).catch((error: unknown) => log().warn({ err: error }, 'a sign-in could not be recorded'));
}

/** Counts a sign-in in the metrics. */
export function countSignIn(outcome: SignInOutcome | 'unknown_user' | 'delayed'): void {
  counters()?.signIns.inc({ outcome });
}

// If one of the accounts with this address has a proven address, only its sign-ins count. The owner of a tenant can add
// another account with this address, and sign in to it.
const IS_KNOWN = statement<{ found: boolean }>('sign-in-known')`
  SELECT EXISTS (SELECT FROM sign_ins s JOIN users u ON u.id = s.user_id
    WHERE u.email = ${param.text('email')} AND s.network = ${param.text('network')} AND s.outcome = 'signed_in'
      AND (u.address_proven_at IS NOT NULL OR NOT EXISTS (
        SELECT FROM users p WHERE p.email = u.email AND p.address_proven_at IS NOT NULL AND p.closed_at IS NULL))) AS found`;

const IS_KNOWN_OF_USER = statement<{ found: boolean }>('sign-in-known-of-user')`
  SELECT EXISTS (SELECT FROM sign_ins WHERE user_id = ${param.text('userId')} AND network = ${param.text('network')}
    AND outcome = 'signed_in') AS found`;

/**
 * Returns whether this user has signed in from the network of `address` before. Sign-ins to other accounts with the same
 * email address do not count, because somebody else can have the passwords of those.
 */
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
