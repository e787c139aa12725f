import { deriveTenant, type Moved, settleClaims, tenantsToMove } from '@/lib/booking/bookings/derive-again';
import { markChanged, withEachPoll } from '@/lib/platform/cache';
import { db, pool } from '@/lib/platform/db';
import { HELD_KEYS, lockKey } from '@/lib/platform/locks';
import { log } from '@/lib/platform/log';
import { readRulesInForce, rulesProblem, watchRulesInForce } from '@/lib/platform/rules-in-force';
import { canonicalZone, ZONE_RULES } from '@/lib/platform/time-zones';
import { isBusy, retryJob } from '../retry-job';

const TENANTS = 100;

// Compared as in `isOlderRules`.
const ANNOUNCE = `
  UPDATE environment SET zone_rules = $1, zone_rules_derived_at = CASE WHEN zone_rules IS NULL THEN $2::timestamptz END
  WHERE zone_rules IS NULL OR zone_rules COLLATE "C" < $1`;

// The bookings of a tenant that is being deleted are gone soon.
const TENANTS_TO_DERIVE = `
  SELECT t.id FROM tenants t
  WHERE t.zone_rules IS DISTINCT FROM $1 AND t.deletion_began_at IS NULL AND t.id > $2 ORDER BY t.id LIMIT ${TENANTS}`;

// A row that is locked is skipped, so that one busy tenant delays no others.
const MARK_TENANTS = `
  UPDATE tenants SET zone_rules = $1 WHERE id IN (
    SELECT id FROM tenants WHERE id = ANY ($2) AND zone_rules IS DISTINCT FROM $1 ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING id`;

const FINISH = `
  UPDATE environment SET zone_rules_derived_at = $2 WHERE zone_rules = $1 AND zone_rules_derived_at IS NULL`;

export type Derived = {
  /** Null if there were none, or if this run continued an interrupted one. */
  before: string | null;
  moved: Moved;
};

/**
 * Brings newer rules of this process into force, and derives the bookings of all tenants again before it returns.
 * Meanwhile, no server sells: one with older rules would sell the same local time at another instant. Several processes
 * may run this at once. If the database records no rules yet, others go on selling: they are servers of an earlier
 * version, which cannot be stopped, or have the same rules. What a killed run leaves is then derived by the job
 * `local_times`. Returns null if there is nothing to derive, or if `signal` was aborted.
 */
export async function bringRulesIntoForce(now: Date, signal: AbortSignal): Promise<Derived | null> {
  const { zone_rules: before } = await readRulesInForce(pool());
  await pool().query(ANNOUNCE, [ZONE_RULES, now]);
  const found = await readRulesInForce(pool());
  if (found.zone_rules !== ZONE_RULES) return null;
  if (found.zone_rules_derived_at !== null && before !== null) return null;
  const moved = await deriveTenants(now, signal);
  if (signal.aborted) return null;
  // An interrupted run may have left claims outside of the exclusion constraint.
  await settleClaims(signal);
  await pool().query(FINISH, [ZONE_RULES, now]);
  // Newer rules may have come into force in the meantime.
  if ((await readRulesInForce(pool())).zone_rules !== ZONE_RULES) return null;
  const derived = { before: before === ZONE_RULES ? null : before, moved };
  log().info({ rules: ZONE_RULES, ...derived }, 'bookings derived with new time zone rules');
  return derived;
}

async function deriveTenants(now: Date, signal: AbortSignal): Promise<Moved> {
  const moved: Moved = {};
  let after = '';
  for (;;) {
    const { rows } = await pool().query<{ id: string }>(TENANTS_TO_DERIVE, [ZONE_RULES, after]);
    for (const id of await withoutIdle(now, rows)) {
      const onRetry = () => log().warn({ tenantId: id }, 'bookings will be derived when the tenant is not locked');
      const derived = await retryJob(() => deriveInForce(now, id, signal), { signal, onRetry });
      if (derived === null) return moved;
      for (const [zone, count] of Object.entries(derived)) moved[zone] = (moved[zone] ?? 0) + count;
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < TENANTS) return moved;
  }
}

/**
 * Marks the tenants of which no booking moves as derived, in a few statements for all, and returns the others. A tenant
 * whose lock someone holds is among the others: a write that began before the new rules may still commit a booking, and
 * holds the lock before its booking is checked.
 */
async function withoutIdle(now: Date, tenants: readonly { id: string }[]): Promise<string[]> {
  const held = new Set((await pool().query<{ key: string }>(HELD_KEYS)).rows.map(({ key }) => key));
  const free = tenants.flatMap(({ id }) => (held.has(String(lockKey('tenant', id))) ? [] : [id]));
  // Read after the locks: a write that held none has committed.
  const toMove = await tenantsToMove(now, free);
  const idle = free.filter((id) => !toMove.has(id));
  const { rows } = await pool().query<{ id: string }>(MARK_TENANTS, [ZONE_RULES, idle]);
  const marked = new Set(rows.map(({ id }) => id));
  return tenants.flatMap(({ id }) => (marked.has(id) ? [] : [id]));
}

/** Null if newer rules have come into force, which refuse the changes. */
async function deriveInForce(now: Date, tenantId: string, signal: AbortSignal): Promise<Moved | null> {
  try {
    return await deriveTenant(now, tenantId, signal);
  } catch (error) {
    if (isBusy(error) && (await readRulesInForce(pool())).zone_rules !== ZONE_RULES) return null;
    throw error;
  }
}

/** Derives what imports have written, corrects names, and settles overlapping claims, if its rules are valid. */
export async function deriveLocalTimes(now: Date, signal: AbortSignal) {
  const { zone_rules: inForce } = await readRulesInForce(pool());
  if (rulesProblem() !== null) return null;
  const moved = inForce === null ? {} : await deriveTenants(now, signal);
  const names = await correctZoneNames();
  await settleClaims(signal);
  return { moved, names };
}

/** Makes the names of time zones of locations and businesses canonical. `npm run doctor` reports unknown names. */
export async function correctZoneNames(): Promise<number> {
  const { rows } = await pool().query<{ name: string }>(
    'SELECT time_zone AS name FROM locations UNION SELECT time_zone FROM tenants',
  );
  let changed = 0;
  for (const { name } of rows) {
    const canonical = canonicalZone(name);
    if (canonical === null || canonical === name) continue;
    changed += await db().$transaction(async (tx) => {
      const where = { timeZone: name };
      const data = { timeZone: canonical };
      const locations = await tx.location.findMany({ where, select: { tenantId: true }, distinct: ['tenantId'] });
      const { count: ofLocations } = await tx.location.updateMany({ where, data });
      const { count: ofTenants } = await tx.tenant.updateMany({ where, data });
      // In ascending order, because each change locks a row.
      for (const tenantId of locations.map((one) => one.tenantId).sort()) await markChanged(tx, 'catalog', tenantId);
      return ofLocations + ofTenants;
    });
  }
  return changed;
}

/** Reads which rules are in force twice a second on the connection that polls for changes. */
export function watchRules(): void {
  withEachPoll(watchRulesInForce);
}
