import type { Actor } from '@/lib/activity/audit/actor';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { bind, param, statement } from '@/lib/platform/sql';
import { beginBudget, writeTransaction } from '@/lib/platform/write-transaction';

/** Maximum number of bookings of a search, of an export, and of an erasure. */
export const MAX_BOOKINGS = 500;
const MAX_LISTED = 20;

export const FOUND_BY = ['phone', 'name'] as const;
export type FoundBy = (typeof FOUND_BY)[number];

/** What an erasure removes, and what it tells, each counted. None of the counts contains data of the customer. */
export const COUNTED = [
  'contacts',
  'emails',
  'languages',
  'notes',
  'metadata',
  'phone_hashes',
  'name_hashes',
  'stored_responses',
  'webhook_answers',
  'events',
] as const;
export type Counts = Record<(typeof COUNTED)[number], number>;

export const NO_COUNTS: Counts = {
  contacts: 0,
  emails: 0,
  languages: 0,
  notes: 0,
  metadata: 0,
  phone_hashes: 0,
  name_hashes: 0,
  stored_responses: 0,
  webhook_answers: 0,
  events: 0,
};

type Request = { tenantId: string; actor: Actor & { id: string }; foundBy: FoundBy; references: readonly string[] };

const FOUND = statement<{ reference: string }>('erasure-bookings-found')`
  SELECT reference FROM bookings b
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.reference = ANY(${param.texts('references')})`;

const INSERT = statement<{ id: string }>('erasure-insert')`
  INSERT INTO erasures (id, tenant_id, found_by, requested_by_id, bookings, created_at)
  VALUES (${param.text('id')}, ${param.text('tenantId')}, ${param.text('foundBy')}, ${param.text('by')},
    cardinality(${param.texts('references')}), ${param.timestamptz('now')})
  ON CONFLICT (tenant_id) WHERE state = 'running' DO NOTHING RETURNING id`;

const INSERT_BOOKINGS = statement<never>('erasure-bookings-insert')`
  INSERT INTO erasure_bookings (tenant_id, erasure_id, reference)
  SELECT ${param.text('tenantId')}, ${param.text('id')}, unnest(${param.texts('references')})`;

/**
 * Requests the erasure of the customer from bookings of a tenant, and returns its id. A job does it (`runErasures`).
 * @throws AppError not_found if a booking does not exist; erasure_running while one of the tenant is running.
 */
export async function requestErasure(now: Date, { tenantId, actor, foundBy, references }: Request): Promise<string> {
  const chosen = [...new Set(references)].sort();
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    const known = await tx.query(FOUND, { tenantId, references: chosen });
    if (known.length < chosen.length) throw notFound();
    const id = newId('ers');
    const inserted = await tx.query(INSERT, { id, tenantId, foundBy, by: actor.id, now, references: chosen });
    if (inserted.length === 0) throw new AppError('erasure_running');
    await tx.query(INSERT_BOOKINGS, { tenantId, id, references: chosen });
    return id;
  });
}

/** A partner that has been told of an erasure. */
type Told = { application: string; bookings: number; webhooks: number; delivered: number };

export type Erasure = {
  id: string;
  found_by: FoundBy;
  /** The name of the owner. */
  by: string;
  state: 'running' | 'done';
  bookings: number;
  erased: number;
  counts: Counts;
  created_at: Date;
  finished_at: Date | null;
  told: Told[];
};

type Row = Omit<Erasure, 'counts' | 'told'> & { counts: Partial<Counts>; told: Told[] | null };

const LIST = statement<Row>()`
  SELECT e.id, e.found_by, coalesce(u.name, '') AS by, e.state, e.bookings, e.counts, e.created_at, e.finished_at,
    (SELECT count(*)::int FROM erasure_bookings i WHERE i.erasure_id = e.id AND i.erased_at IS NOT NULL) AS erased,
    (SELECT json_agg(t ORDER BY t.application) FROM (
      SELECT a.name AS application, count(*)::int AS bookings, count(d.id)::int AS webhooks,
        (count(*) FILTER (WHERE d.state = 'succeeded'))::int AS delivered
      FROM erasure_bookings i
        JOIN events v ON v.booking_reference = i.reference AND v.type = 'booking.anonymized' AND v.at >= e.created_at
          AND v.tenant_id = e.tenant_id
        JOIN applications a ON a.id = v.application_id
        LEFT JOIN deliveries d ON d.event_id = v.id
      WHERE i.erasure_id = e.id GROUP BY a.id, a.name) t) AS told
  FROM (SELECT * FROM erasures WHERE tenant_id = ${param.text('tenantId')}
      ORDER BY created_at DESC, id DESC LIMIT ${MAX_LISTED}) e
    LEFT JOIN users u ON u.id = e.requested_by_id
  ORDER BY e.created_at DESC, e.id DESC`;

/** Returns the latest erasures of a tenant, newest first, with what they have removed and whom they have told. */
export async function listErasures(tenantId: string): Promise<Erasure[]> {
  const { rows } = await pool().query<Row>(bind(LIST, { tenantId }));
  return rows.map((row) => ({ ...row, counts: { ...NO_COUNTS, ...row.counts }, told: row.told ?? [] }));
}
