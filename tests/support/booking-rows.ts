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

export const NOTHING = { bookings: 0, claims: 0, events: 0, keys: 0 };

/** For tests that a refusal changed nothing. */
export async function everythingOf(tenantId: string) {
  return {
    bookings: await select('SELECT * FROM bookings WHERE tenant_id = $1 ORDER BY reference', tenantId),
    claims: await select('SELECT *, during::text FROM slot_claims WHERE tenant_id = $1 ORDER BY id', tenantId),
    events: await select('SELECT * FROM events WHERE tenant_id = $1 ORDER BY booking_reference, version', tenantId),
  };
}

export async function claimsOf(tenantId: string) {
  return select(
    'SELECT *, during::text FROM slot_claims WHERE tenant_id = $1 ORDER BY starts_at, specialist_id',
    tenantId,
  );
}

export async function bookingRow(reference: string): Promise<Row> {
  const [row] = await select('SELECT * FROM bookings WHERE reference = $1', reference);
  if (!row) throw new Error('no such booking');
  return row;
}

export async function eventsOf(reference: string) {
  return select('SELECT * FROM events WHERE booking_reference = $1 ORDER BY version', reference);
}

/** A negative number of minutes puts the deadline in the past. */
export async function moveDeadline(reference: string, minutes: number): Promise<void> {
  await pool().query(
    `UPDATE bookings SET cancellation_cutoff_minutes = floor(extract(epoch FROM starts_at - now()) / 60) - $2::int
     WHERE reference = $1`,
    [reference, minutes],
  );
}

/** By default, grants all scopes but no location. */
export async function narrowPolicy(
  { tenant, applicationId }: Pick<Desk, 'tenant' | 'applicationId'>,
  { locationIds = [], scopes = SCOPES }: { locationIds?: string[]; scopes?: typeof SCOPES | [] },
): Promise<void> {
  const [row] = await select('SELECT version FROM applications WHERE id = $1', applicationId);
  const by = { tenantId: tenant.id, actor: { kind: 'system' } as const, applicationId };
  const rest = { name: 'Partner', allLocations: false, origins: [], networks: [], quota: 100_000, agentsAsk: true };
  await updatePolicy(new Date(), { ...by, expectedVersion: Number(row?.version) }, { ...rest, locationIds, scopes });
}

export function expectRefusal(reply: Reply, status: number, code: string, reason: string | null = null): void {
  expect({ status: reply.status, code: reply.error?.code, reason: reply.error?.reason }).toEqual({
    status,
    code,
    reason,
  });
}

export function expectFields(reply: Reply, paths: string[], reason: string | null = null): void {
  expectRefusal(reply, 400, 'invalid_request', reason);
  expect(reply.error.fields.map(({ path }) => path).sort()).toEqual([...paths].sort());
}

/** Without what may differ between identical requests. */
export function comparable({ status, text, headers, requestId }: Reply) {
  const {
    date: _date,
    'x-ratelimit-remaining': _left,
    'x-ratelimit-reset': _reset,
    ratelimit: _window,
    ...rest
  } = headers;
  return { status, text: text.replaceAll(requestId, '*'), headers: { ...rest, 'x-request-id': '*' } };
}
