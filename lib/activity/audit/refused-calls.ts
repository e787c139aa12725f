import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { singleton } from '@/lib/platform/singleton';
import { bind, param, statement } from '@/lib/platform/sql';
import { acrossTenants } from '@/lib/platform/tenant-scope';

/** The error codes that are recorded. Other errors do not state that somebody tried what they may not do. */
export const REFUSAL_CODES = ['forbidden', 'not_found', 'second_factor_required'] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

type Refusal = {
  userId: string;
  /** The tenant of the call. Null if the person is no member of it: the call is recorded in the person's own tenants. */
  tenantId: string | null;
  procedure: string;
  code: RefusalCode;
};

type Entry = Omit<Refusal, 'procedure'> & { procedure: string | null; minute: number; at: number; calls: number };

/** Milliseconds that an entry waits. In this time, further calls of the same kind only count in memory. */
const FLUSH_EVERY = 60_000;
/** Maximum number of procedures of one person and minute with a row of their own. Further procedures share a row. */
const MAX_PROCEDURES = 20;
/** Maximum number of entries in the buffer. Beyond it, only calls that belong to an existing entry are counted. */
const MAX_ENTRIES = 2_000;
/** Maximum number of tenants in which a call to a foreign tenant is recorded. */
const MAX_TENANTS = 50;

type Buffer = { entries: Map<string, Entry>; procedures: Map<string, number>; timer: NodeJS.Timeout | null };

const buffer = () =>
  singleton('refused-calls', (): Buffer => ({ entries: new Map(), procedures: new Map(), timer: null }));

/**
 * Counts a refused call of the Control Center in a bounded buffer, which is written once a minute. A row stands for all
 * refused calls of a person in one minute with the same procedure and code. It contains no input of the call.
 */
export function recordRefusedCall(now: Date, { procedure, ...refusal }: Refusal): void {
  const current = buffer();
  const at = now.getTime();
  const minute = Math.floor(at / 60_000) * 60_000;
  const { userId, tenantId, code } = refusal;
  const keyOf = (name: string | null) => [userId, tenantId, code, minute, name].join(' ');
  const person = `${userId} ${minute}`;
  const named = current.procedures.get(person) ?? 0;
  const isOwn = current.entries.has(keyOf(procedure)) || named < MAX_PROCEDURES;
  const key = keyOf(isOwn ? procedure : null);
  const found = current.entries.get(key);
  if (found) {
    found.calls += 1;
    found.at = Math.max(found.at, at);
    return;
  }
  if (current.entries.size >= MAX_ENTRIES) return;
  current.entries.set(key, { ...refusal, procedure: isOwn ? procedure : null, minute, at, calls: 1 });
  if (isOwn) current.procedures.set(person, named + 1);
  current.timer ??= setTimeout(() => void flushRefusedCalls(), FLUSH_EVERY).unref();
}

// The rows of a statement are sorted, so that two processes cannot deadlock. A person who has left a tenant gets no row
// there. A call to a foreign tenant and a call to an own tenant can have the same key, so they are added up.
const INSERT = statement<never>('refused-calls-insert')`
  INSERT INTO refused_calls AS r (id, tenant_id, user_id, procedure, code, minute, at, calls)
  SELECT min(e.ids->>(m.number - 1)), m.tenant_id, e.user_id, e.procedure, e.code, e.minute, max(e.at), sum(e.calls)::int
  FROM json_to_recordset(${param.json('entries')}) AS e (user_id text, tenant_id text, procedure text, code text,
      minute timestamptz, at timestamptz, calls int, ids json)
    CROSS JOIN LATERAL (
      SELECT tenant_id, (row_number() OVER (ORDER BY last_used_at DESC NULLS LAST, created_at, tenant_id))::int AS number
      FROM memberships WHERE user_id = e.user_id AND (e.tenant_id IS NULL OR tenant_id = e.tenant_id)) AS m
  WHERE m.number <= json_array_length(e.ids)
  GROUP BY m.tenant_id, e.user_id, e.procedure, e.code, e.minute ORDER BY 3, 2, 6, 4, 5
  ON CONFLICT (user_id, tenant_id, minute, procedure, code)
  DO UPDATE SET calls = r.calls + EXCLUDED.calls, at = GREATEST(r.at, EXCLUDED.at)`;

/** Writes all buffered refusals in one statement. Never throws: entries that cannot be written are dropped and logged. */
export async function flushRefusedCalls(): Promise<void> {
  const current = buffer();
  if (current.timer) clearTimeout(current.timer);
  const entries = [...current.entries.values()];
  Object.assign(current, { entries: new Map(), procedures: new Map(), timer: null });
  if (entries.length === 0) return;
  const rows = entries.map(({ userId, tenantId, minute, at, ...entry }) => ({
    ...entry,
    user_id: userId,
    tenant_id: tenantId,
    minute: new Date(minute),
    at: new Date(at),
    ids: Array.from({ length: tenantId === null ? MAX_TENANTS : 1 }, () => newId('rfc')),
  }));
  try {
    await acrossTenants(() => pool().query(bind(INSERT, { entries: JSON.stringify(rows) })));
  } catch (error) {
    log().warn({ err: error, entries: entries.length }, 'refused calls could not be recorded');
  }
}
