import type { z } from 'zod';
import { emitThinEvents } from '@/lib/booking/thin-events/emit';
import type { ThinEventType } from '@/lib/booking/thin-events/told';
import { availabilityChangedPayload, catalogChangedPayload, THIN_EVENT_TYPES } from '@/lib/contract/events';
import { pool } from '@/lib/platform/db';
import { addEndpoint } from './webhooks';

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:59996/';
const HOUR = 3_600_000;

type Told = { catalog: number; changes: Change[] | null; token: string | undefined };
type Change = z.infer<typeof availabilityChangedPayload>['data']['changes'][number];

/**
 * Runs the job for a tenant. The times of the runs are ahead of real time, so that no server emits what a test expects.
 */
export function runsOf(tenantId: string) {
  let latest = Date.now() + HOUR;
  const now = () => new Date(latest);
  return {
    now,
    /** Runs the job some milliseconds after the last run. */
    after: async (milliseconds = 5_000) => {
      latest += milliseconds;
      await emitThinEvents(now(), undefined, tenantId);
    },
  };
}

type Runs = ReturnType<typeof runsOf>;

/** Makes an endpoint that receives thin events, and ends the events with which its watch begins. */
export async function watch(
  { tenant, applicationId }: { tenant: { id: string }; applicationId: string },
  runs: Runs,
  types: readonly ThinEventType[] = THIN_EVENT_TYPES,
) {
  const endpoint = await addEndpoint(tenant.id, applicationId, NOWHERE, new Date(), types);
  await runs.after(0);
  await runs.after(10_000);
  const begun = await read(applicationId);
  return { ...endpoint, begun, told: () => read(applicationId) };
}

const TAKE = `
  WITH thin AS (
    SELECT v.id, v.payload FROM events v JOIN deliveries d ON d.event_id = v.id
    WHERE v.application_id = $1 AND v.type = ANY ($2) AND d.state = 'pending'),
  done AS (
    UPDATE deliveries SET state = 'succeeded', next_attempt_at = NULL, finished_at = now() WHERE event_id IN (SELECT id FROM thin))
  SELECT payload FROM thin ORDER BY id`;

/** Returns what the events since the last call told, each as it is delivered. */
async function read(applicationId: string): Promise<Told> {
  const { rows } = await pool().query<{ payload: string }>(TAKE, [applicationId, THIN_EVENT_TYPES]);
  const told: Told = { catalog: 0, changes: null, token: undefined };
  for (const { payload } of rows) {
    const event = JSON.parse(payload) as { type: ThinEventType };
    if (event.type === 'catalog.changed') {
      told.catalog += 1;
      told.token = catalogChangedPayload.parse(event).data.token;
      continue;
    }
    if (told.changes) throw new Error('more than one event');
    const { changes, token } = availabilityChangedPayload.parse(event).data;
    Object.assign(told, { changes, token });
  }
  return told;
}
