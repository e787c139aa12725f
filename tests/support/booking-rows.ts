import { expect } from 'vitest';
import { updatePolicy } from '@/lib/access/applications/applications';
import { SCOPES } from '@/lib/contract/common';
import { pool } from '@/lib/platform/db';
import type { Desk } from './bookings';
import type { Reply } from './client';

type Row = Record<string, unknown>;

async function select(text: string, ...values: unknown[]): Promise<Row[]> {
  return (await pool().query<Row>(text, values)).rows;
}

export async function countRows(tenantId: string) {
  const [row] = await select(
    `SELECT (SELECT count(*)::int FROM bookings WHERE tenant_id = $1) AS bookings,
      (SELECT count(*)::int FROM slot_claims WHERE tenant_id = $1) AS claims,
      (SELECT count(*)::int FROM events WHERE tenant_id = $1) AS events,
      (SELECT count(*)::int FROM idempotency_keys k JOIN applications a ON a.id = k.application_id
        WHERE a.tenant_id = $1) AS keys`,
    tenantId,
  );
  return row as { bookings: number; claims: number; events: number; keys: number };
}

/** The result of `countRows` for a tenant that has none of the counted rows. */
export const NOTHING = { bookings: 0, claims: 0, events: 0, keys: 0 };

/** Returns a tenant's bookings, claims, and events, to verify that a refusal changed nothing. */
export async function everythingOf(tenantId: string) {
  return {
    bookings: await select('SELECT * FROM bookings WHERE tenant_id = $1 ORDER BY reference', tenantId),
    claims: await select('SELECT *, during::text FROM slot_claims WHERE tenant_id = $1 ORDER BY id', tenantId),
    events: await select('SELECT * FROM events WHERE tenant_id = $1 ORDER BY booking_reference, version', tenantId),
  };
}

/** Returns a tenant's claims, sorted by start. */
export async function claimsOf(tenantId: string) {
  return select(
    'SELECT *, during::text FROM slot_claims WHERE tenant_id = $1 ORDER BY starts_at, specialist_id',
    tenantId,
  );
}

/** Returns a booking's row. */
export async function bookingRow(reference: string): Promise<Row> {
  const [row] = await select('SELECT * FROM bookings WHERE reference = $1', reference);
  if (!row) throw new Error('no such booking');
  return row;
}

/** Returns a booking's events, sorted by version. */
export async function eventsOf(reference: string) {
  return select('SELECT * FROM events WHERE booking_reference = $1 ORDER BY version', reference);
}

/**
 * Moves a booking's change deadline to `minutes` minutes from now. If `minutes` is negative, the deadline is in the
 * past.
 */
export async function moveDeadline(reference: string, minutes: number): Promise<void> {
  await pool().query(
    `UPDATE bookings SET cancellation_cutoff_minutes = floor(extract(epoch FROM starts_at - now()) / 60) - $2::int
     WHERE reference = $1`,
    [reference, minutes],
  );
}

/** Replaces an application's policy. By default, the new policy grants all scopes but allows no location. */
export async function narrowPolicy(
  { tenant, applicationId }: Pick<Desk, 'tenant' | 'applicationId'>,
  { locationIds = [], scopes = SCOPES }: { locationIds?: string[]; scopes?: typeof SCOPES | [] },
): Promise<void> {
  const [row] = await select('SELECT version FROM applications WHERE id = $1', applicationId);
  const by = { tenantId: tenant.id, actor: { kind: 'system' } as const, applicationId };
  const rest = { name: 'Partner', allLocations: false, origins: [], networks: [], quota: 100_000 };
  await updatePolicy(new Date(), { ...by, expectedVersion: Number(row?.version) }, { ...rest, locationIds, scopes });
}

/** Asserts that a response is a refusal with this status, code, and reason. */
export function expectRefusal(reply: Reply, status: number, code: string, reason: string | null = null): void {
  expect({ status: reply.status, code: reply.error?.code, reason: reply.error?.reason }).toEqual({
    status,
    code,
    reason,
  });
}

/** Asserts a 400 that names exactly these fields. */
export function expectFields(reply: Reply, paths: string[], reason: string | null = null): void {
  expectRefusal(reply, 400, 'invalid_request', reason);
  expect(reply.error.fields.map(({ path }) => path).sort()).toEqual([...paths].sort());
}

/**
 * Returns a response without the parts that may differ between identical requests: request id, date, and the state of
 * the quota.
 */
export function comparable({ status, text, headers, requestId }: Reply) {
  const { date: _date, 'x-ratelimit-remaining': _left, 'x-ratelimit-reset': _reset, ...rest } = headers;
  return { status, text: text.replaceAll(requestId, '*'), headers: { ...rest, 'x-request-id': '*' } };
}
