import { setSuspended } from '@/lib/access/applications/applications';
import { issueKey, revokeKey, rotateKey } from '@/lib/access/applications/keys';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { SCOPES } from '@/lib/contract/common';
import { db } from '@/lib/platform/db';
import { makePerson } from './control-center';
import { makeApplication, makeLocation, makeTenant } from './factories';
import { ago, writeLines } from './request-lines';
import { makePaused } from './webhook-states';
import { addEndpoint } from './webhooks';

const DAY = 86_400_000;
const ENTRIES = 400;
/** Seconds between two log entries. The 400 entries span slightly more than a day. */
const INTERVAL = 240;

const NAMES = [
  'Aurora Booking Widget',
  'The Very Long Name Of A Partner Who Could Not Decide Between All The Names They Had And Kept Them',
  'שותף הזמנות בעברית',
  '💇 Haarstudio Königsallee – Düsseldorf & Köln',
  'unbrokenword'.repeat(12),
  'Concierge',
];

const ENDS = [
  { route: '/catalog', method: 'GET', status: 200, code: null, reason: null },
  { route: '/availability', method: 'GET', status: 200, code: null, reason: null },
  { route: '/bookings', method: 'POST', status: 201, code: null, reason: null },
  { route: '/bookings', method: 'POST', status: 409, code: 'slot_unavailable', reason: 'slot_taken' },
  { route: '/bookings/{pbr_reference}', method: 'GET', status: 200, code: null, reason: null },
  {
    route: '/bookings/{pbr_reference}/actions/reschedule',
    method: 'POST',
    status: 400,
    code: 'invalid_request',
    reason: null,
  },
  { route: '/availability', method: 'GET', status: 429, code: 'rate_limited', reason: null },
  { route: '/catalog/specialists', method: 'GET', status: 503, code: 'service_unavailable', reason: null },
];

/** Long and unusual names, keys in every state, and one day of requests. */
export async function makeBusyControlCenter() {
  const tenant = await makeTenant({ name: 'Studio Königsallee Hair, Beauty & Wellness GmbH' });
  const actor = { kind: 'system' } as const;
  const location = await makeLocation(tenant.id, { name: { en: 'Königsallee' } });
  const applications = [];
  for (const [index, name] of NAMES.entries()) {
    const some = index % 2 === 1 ? { allLocations: false, locationIds: [location.id] } : {};
    applications.push(await makeApplication(tenant.id, { name, scopes: SCOPES.slice(0, index % 6), ...some }));
  }
  const [first, second, , , , last] = applications;
  if (!first || !second || !last) throw new Error('expected an application for each name');
  const now = new Date();
  const { applicationId } = first;
  const issue = (name: string, days: number | null) => {
    const expiresAt = days === null ? null : new Date(now.getTime() + days * DAY);
    return issueKey(now, { tenantId: tenant.id, applicationId, name, expiresAt, actor });
  };
  const rotated = await issue('Staging server with a name that goes on for longer than any column has room for', 200);
  await rotateKey(now, { tenantId: tenant.id, keyId: rotated.record.id, overlap: '24h', actor });
  await issue('Night batch', 5);
  const revoked = await issue('Laptop', null);
  await revokeKey(now, { tenantId: tenant.id, keyId: revoked.record.id, actor });
  await setSuspended(now, { tenantId: tenant.id, applicationId: last.applicationId, actor, suspended: true });
  const lines = Array.from({ length: ENTRIES }, (_, n): Partial<LogEntry> => {
    const end = ENDS[(n * 7 + (n % 11)) % ENDS.length] ?? ENDS[0];
    const by = n % 5 === 0 ? second : first;
    const route = `/api/partner/v1${end?.route}`;
    const at = ago(30 + n * INTERVAL + (n % 7) * 31);
    const known = { tenant_id: tenant.id, application_id: by.applicationId, key_id: by.keyId };
    return { ...end, ...known, route, path: route, at, duration_ms: 2 + ((n * n) % 90), address: '203.0.113.7' };
  });
  await writeLines(lines);
  await addWebhooks(
    tenant.id,
    applications.slice(1, 5).map((application) => application.applicationId),
  );
  const owner = await makePerson(tenant.id, 'OWNER', 'Olivia Maximiliane von Hohenstaufen-Wittgenstein');
  return { tenant, owner, applicationId, suspendedId: last.applicationId, longId: second.applicationId };
}

const HOUR = 3_600_000;

/** One endpoint with failed attempts, one paused, and one without deliveries. */
async function addWebhooks(tenantId: string, applicationIds: string[]): Promise<void> {
  await db().application.updateMany({ where: { id: { in: applicationIds } }, data: { scopes: [...SCOPES] } });
  for (const [index, applicationId] of applicationIds.entries()) {
    const { emit } = await addEndpoint(tenantId, applicationId, `http://127.0.0.1:${8443 + index}/hooks`);
    if (index === 2) continue;
    // Paused, so that the server makes no attempts for the new deliveries.
    await makePaused(applicationId);
    const ids = await emit(25);
    const attempts = ids.map((deliveryId, n) => ({
      deliveryId,
      number: 1,
      kind: 'scheduled',
      startedAt: new Date(Date.now() - n * 6 * HOUR),
      durationMs: 80,
      error: index === 0 && n % 2 === 0 ? 'timeout' : null,
    }));
    await db().deliveryAttempt.createMany({ data: attempts });
    if (index === 1) continue;
    const ended = { state: 'succeeded', attempts: 1, nextAttemptAt: null, finishedAt: new Date() };
    await db().delivery.updateMany({ where: { applicationId }, data: ended });
    await db().webhookEndpoint.update({ where: { applicationId }, data: { state: 'active', stateReason: null } });
  }
}
