import { invite } from '@/lib/access/owners/invitations';
import { createBlock } from '@/lib/booking/blocks/change';
import { createFeed } from '@/lib/booking/calendar-feeds/feeds';
import { uploadCalendar } from '@/lib/booking/calendars/calendars';
import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { replayFailed } from '@/lib/webhooks/replay';
import { dayAhead } from '@/tests/support/bookings';
import { callProcedure, makePerson } from '@/tests/support/control-center';
import { makeApplication } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';
import { addEndpoint } from '@/tests/support/webhooks';
import type { Names } from './every-procedure-entries';

const { origin } = sharedServer();

/**
 * Creates two applications: one with an unreachable endpoint, two failed deliveries, and a completed replay, and one
 * without an endpoint.
 */
export async function makeHooked(tenantId: string): Promise<Names['webhook']> {
  const { applicationId } = await makeApplication(tenantId);
  const without = await makeApplication(tenantId);
  const { emit, by } = await addEndpoint(tenantId, applicationId, 'http://127.0.0.1:3999/secret-path');
  // The deliveries become due only in a minute. Otherwise, the shared server could begin attempts before the next
  // statement marks the deliveries as failed.
  const later = new Date(Date.now() + 60_000);
  const [deliveryId = '', other = ''] = await emit(2, later);
  await pool().query(
    `UPDATE deliveries SET state = 'failed', next_attempt_at = NULL, finished_at = now() WHERE id = ANY ($1)`,
    [[deliveryId, other]],
  );
  const { id: replayId } = await replayFailed(later, by, new Date(later.getTime() - 3_600_000));
  await pool().query('UPDATE deliveries SET manual_requested_at = NULL WHERE id = ANY ($1)', [[deliveryId, other]]);
  return { applicationId, deliveryId, replayId, without: without.applicationId };
}

/** Creates a calendar of a specialist from a file, and returns its id. */
export async function makeCalendar(tenantId: string, specialistId: string): Promise<string> {
  const event = [
    'BEGIN:VEVENT',
    'UID:1',
    `DTSTART:${dayAhead(10).replaceAll('-', '')}T190000`,
    'DURATION:PT1H',
    'END:VEVENT',
  ];
  const text = ['BEGIN:VCALENDAR', ...event, 'END:VCALENDAR', ''].join('\r\n');
  const by = { tenantId, actor: { kind: 'system' } as const };
  const choices = { name: 'Only of this tenant', show_titles: false, block_when_stale: false };
  const subject = { specialistId, locationId: null };
  return (await uploadCalendar(new Date(), by, { subject, text, choices })).id;
}

/** Creates the calendar feed of the whole business, and returns its id. */
export async function makeFeed(tenantId: string): Promise<string> {
  return (await createFeed(new Date(), { tenantId, actor: { kind: 'system' } }, { kind: 'business' })).id;
}

/**
 * Returns the tenant's exported catalog, and the `basis` value that its import requires. The import would change
 * nothing, because the export is not edited.
 */
export async function transferOf(cookie: string | null): Promise<Names['transfer']> {
  const exported = await callProcedure('catalog.transfer.export', { origin, cookie, type: 'query' });
  const text = JSON.stringify(exported.data);
  const input = { text };
  const checked = await callProcedure('catalog.transfer.check', { origin, cookie, type: 'mutation', input });
  const { plan } = checked.data as { plan: { basis: string } };
  return { text, basis: plan.basis };
}

/** Blocks an hour of a specialist in ten days. */
export async function makeBlock(tenantId: string, specialistId: string): Promise<string> {
  const date = dayAhead(10);
  const block = { from: `${date}T10:00`, to: `${date}T11:00`, repeat: null, reason: 'Only of this tenant' };
  const by = { tenantId, actor: { kind: 'system' } as const, confirmed: undefined };
  const saved = await createBlock(new Date(), by, { specialistId, locationId: null }, block);
  return 'id' in saved ? saved.id : '';
}

/** Blocks another hour of a specialist. Returns the id of the audit entry with which this can be undone. */
export async function makeReversible(tenantId: string, specialistId: string): Promise<string> {
  const blockId = await makeBlock(tenantId, specialistId);
  const { rows } = await pool().query<{ id: string }>('SELECT id FROM audit_log WHERE object_id = $1', [blockId]);
  return rows[0]?.id ?? '';
}

/** Creates a member and an invitation. The tests can remove both. */
export async function makeTeam(tenantId: string): Promise<Names['team']> {
  const { userId } = await makePerson(tenantId, 'SUPPORT');
  const by = { tenantId, actor: { kind: 'owner', id: userId, tenantId } as const, userId };
  const { id } = await invite(new Date(), { ...by, email: `${newId('usr')}@salon.example`, role: 'SUPPORT' });
  return { userId, invitationId: id };
}
