import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { singleton } from '@/lib/platform/singleton';
import { bind, param, statement } from '@/lib/platform/sql';
import { acrossTenants } from '@/lib/platform/tenant-scope';

/** Other errors do not state that somebody tried what they may not do. */
export const REFUSAL_CODES = ['forbidden', 'not_found', 'second_factor_required'] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

type Refusal = {
  userId: string;
  /** Null if the person is no member of it: an entry would show that the person has or had another tenant. */
  tenantId: string | null;
  procedure: string;
  code: RefusalCode;
};

type Entry = Omit<Refusal, 'procedure'> & { procedure: string | null; minute: number; at: number; calls: number };

/** Milliseconds in which further calls of the same kind only count in memory. */
const FLUSH_EVERY = 60_000;
/** Per person and minute. Further procedures share a row. */
const MAX_PROCEDURES = 20;
/** Beyond it, only calls that belong to an existing entry are counted. */
const MAX_ENTRIES = 2_000;
type Buffer = { entries: Map<string, Entry>; procedures: Map<string, number>; timer: NodeJS.Timeout | null };

const buffer = () =>
  singleton('refused-calls', (): Buffer => ({ entries: new Map(), procedures: new Map(), timer: null }));

/**
 * Counts a refused call of the Control Center in a bounded buffer, written once a minute. One row stands for all of a
 * person, minute, procedure, and code. It contains no input.
 */
export function recordRefusedCall(now: Date, { procedure, ...refusal }: Refusal): void {
  const current = buffer();
  const at = now.getTime();
  const minute = Math.floor(at / 60_000) * 60_000;
  const { userId, tenantId, code } = refusal;
  const keyOf = (name: string | null) => [userId, tenantId, code, minute, name].join(' ');
  const person = `${userId} ${minute}`;
  const named = current.procedures.get(person) ?? 0;
  const isOwn = tenantId !== null && (current.entries.has(keyOf(procedure)) || named < MAX_PROCEDURES);
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

// Sorted, so that two processes cannot deadlock. A person who has left a tenant gets no row there.
const INSERT = statement<never>('refused-calls-insert')`
  INSERT INTO refused_calls AS r (id, tenant_id, user_id, procedure, code, minute, at, calls)
  SELECT e.id, e.tenant_id, e.user_id, e.procedure, e.code, e.minute, e.at, e.calls
  FROM json_to_recordset(${param.json('entries')}) AS e (id text, user_id text, tenant_id text, procedure text, code text,
      minute timestamptz, at timestamptz, calls int)
    JOIN memberships m USING (tenant_id, user_id)
  ORDER BY 3, 2, 6, 4, 5
  ON CONFLICT (user_id, tenant_id, minute, procedure, code)
  DO UPDATE SET calls = r.calls + EXCLUDED.calls, at = GREATEST(r.at, EXCLUDED.at)`;

/** Writes all buffered refusals. Never throws: entries that cannot be written are dropped and logged. */
export async function flushRefusedCalls(): Promise<void> {
  const current = buffer();
  if (current.timer) clearTimeout(current.timer);
  const entries = [...current.entries.values()];
  Object.assign(current, { entries: new Map(), procedures: new Map(), timer: null });
  const rows = entries.flatMap(({ userId, tenantId, minute, at, ...entry }) => {
    const ids = { user_id: userId, tenant_id: tenantId };
    if (tenantId !== null) return { id: newId('rfc'), ...ids, ...entry, minute: new Date(minute), at: new Date(at) };
    log().warn({ user_id: userId, calls: entry.calls }, 'refused calls to a tenant of which the person is no member');
    return [];
  });
  if (rows.length === 0) return;
  try {
    await acrossTenants(() => pool().query(bind(INSERT, { entries: JSON.stringify(rows) })));
  } catch (error) {
    log().warn({ err: error, entries: rows.length }, 'refused calls could not be recorded');
  }
}
