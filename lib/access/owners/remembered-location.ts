import { notFound } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { isInReach } from '@/lib/platform/tenant-scope';

type Person = { tenantId: string; userId: string };

const REMEMBER = statement<{ id: string }>()`
  INSERT INTO remembered_locations (tenant_id, user_id, location_id)
  SELECT l.tenant_id, ${param.text('userId')}, l.id FROM locations l
  WHERE l.id = ${param.text('locationId')} AND l.tenant_id = ${param.text('tenantId')}
  ON CONFLICT (tenant_id, user_id) DO UPDATE SET location_id = EXCLUDED.location_id
  RETURNING location_id AS id`;

/** Remembers the location that a member looks at, instead of an earlier one. @throws AppError not_found. */
export async function rememberLocation({ tenantId, userId }: Person, locationId: string): Promise<void> {
  if (!isInReach(locationId)) throw notFound();
  const { rows } = await pool().query(bind(REMEMBER, { tenantId, userId, locationId }));
  if (rows.length === 0) throw notFound();
}

const REMEMBERED = statement<{ id: string }>()`
  SELECT location_id AS id FROM remembered_locations
  WHERE tenant_id = ${param.text('tenantId')} AND user_id = ${param.text('userId')}`;

/** Returns the id of the location that a member looked at last, or null. */
export async function rememberedLocation({ tenantId, userId }: Person): Promise<string | null> {
  const { rows } = await pool().query<{ id: string }>(bind(REMEMBERED, { tenantId, userId }));
  return rows[0]?.id ?? null;
}
