import type { Policy } from '@/lib/access/applications/policy';
import { AppError } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { bind } from '@/lib/platform/sql';
import { inTenant } from '@/lib/platform/tenant-scope';
import { STATE, type State } from './statements';

/** Seconds. The job that derives local dates runs every few seconds. */
const DERIVED_SOON = 10;

/** The application's latest event. `sequence` is 0 and `committedAt` null if it has none. */
export type Latest = { sequence: number; committedAt: Date | null };

/**
 * Returns the application's latest event. A read that begins later sees this event and all before it.
 * @throws AppError service_unavailable if `byDate` and a booking's local date must still be derived.
 */
export async function latestEvent({ tenantId, applicationId }: Policy, byDate: boolean): Promise<Latest> {
  const query = bind(STATE, { tenantId, applicationId });
  const { rows } = await inTenant(tenantId, () => pool().query<State>(query));
  const [state] = rows;
  if (byDate && state?.lacks) throw new AppError('service_unavailable', { retryAfter: DERIVED_SOON });
  return { sequence: Number(state?.sequence ?? 0), committedAt: state?.committed_at ?? null };
}

/** Returns the instants between which the appointments of some local days start, in every time zone. */
export function startsBetween(from: string, to: string) {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return { startsFrom: new Date(first - 86_400_000), startsTo: new Date(last + 2 * 86_400_000) };
}

/** Returns the values that limit bookings to the application and its locations. */
export function ownValues({ tenantId, applicationId, allLocations, locationIds }: Policy) {
  return { tenantId, applicationId, allLocations, locationIds: [...locationIds] };
}
