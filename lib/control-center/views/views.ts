import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { readViewQuery, type ViewPage, type ViewQuery } from './query';

/** Per member and page. */
export const MAX_VIEWS = 20;

/** Other members can neither read nor change the views. */
export type ViewOwner = { tenantId: string; userId: string };

export type SavedView = { id: string; name: string; query: ViewQuery };

const LIST = `
  SELECT id, name, query FROM saved_views WHERE tenant_id = $1 AND user_id = $2 AND page = $3 ORDER BY id`;

/** `View 3` sorts before `View 10`. */
const COLLATOR = new Intl.Collator('en', { numeric: true });

/** Returns a member's views of a page, ordered by name. */
export async function listViews({ tenantId, userId }: ViewOwner, page: ViewPage): Promise<SavedView[]> {
  const { rows } = await pool().query<SavedView>(LIST, [tenantId, userId, page]);
  rows.sort((one, other) => COLLATOR.compare(one.name, other.name));
  return rows.map((view) => ({ ...view, query: readViewQuery(page, view.query) }));
}

/** A concurrent insertion can take the chosen number, from 1 to `MAX_VIEWS`, first. */
const MAX_TRIES = 3;

// Inserts a view with the smallest free number. Inserts nothing if no number is free or if a concurrent insertion has
// taken this number.
const INSERT = `
  INSERT INTO saved_views (id, tenant_id, user_id, page, number, name, query, created_at)
  SELECT $1, $2, $3, $4, free, $5, $6::jsonb, $7 FROM generate_series(1, ${MAX_VIEWS}) AS free
  WHERE NOT EXISTS (
    SELECT FROM saved_views v WHERE v.tenant_id = $2 AND v.user_id = $3 AND v.page = $4 AND v.number = free)
  ORDER BY free LIMIT 1
  ON CONFLICT (tenant_id, user_id, page, number) DO NOTHING RETURNING id`;

type NewView = { page: ViewPage; name: string; query: object };

/**
 * Saves a view of a page and returns its id.
 * @throws AppError invalid_request if the member has a view with this name; too_many_views if the member has 20 views
 *   of the page.
 */
export async function createView(now: Date, { tenantId, userId }: ViewOwner, view: NewView): Promise<string> {
  const values = [newId('viw'), tenantId, userId, view.page, view.name, JSON.stringify(view.query), now];
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    const { rows } = await pool().query<{ id: string }>(INSERT, values).catch(refuse);
    if (rows[0]) return rows[0].id;
  }
  throw new AppError('too_many_views');
}

/** Renames a view. @throws AppError not_found if the member has no such view; invalid_request if another view has this name. */
export async function renameView({ tenantId, userId }: ViewOwner, id: string, name: string): Promise<void> {
  const sql = 'UPDATE saved_views SET name = $4 WHERE id = $3 AND tenant_id = $1 AND user_id = $2';
  const { rowCount } = await pool().query(sql, [tenantId, userId, id, name]).catch(refuse);
  if (rowCount === 0) throw notFound();
}

/** Deletes a view. @throws AppError not_found if the member has no such view. */
export async function deleteView({ tenantId, userId }: ViewOwner, id: string): Promise<void> {
  const sql = 'DELETE FROM saved_views WHERE id = $3 AND tenant_id = $1 AND user_id = $2';
  const { rowCount } = await pool().query(sql, [tenantId, userId, id]);
  if (rowCount === 0) throw notFound();
}

/** Throws `error`. A violation of the unique index on names is replaced by an error that the page can show. */
function refuse(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null;
  if (constraint === 'saved_views_name_key') throw invalidField('name', 'is the name of another view');
  throw error;
}
