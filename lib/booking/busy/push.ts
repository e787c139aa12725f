import type { z } from 'zod';
import { mayUseLocation, type Policy } from '@/lib/access/applications/policy';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import type { busyBody } from '@/lib/contract/busy';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { newId } from '@/lib/platform/ids';
import { exclusiveTenantLock } from '@/lib/platform/locks';
import { nullable, param, statement } from '@/lib/platform/sql';
import { DAY, formatDay, storedZone } from '@/lib/platform/time-zones';
import { type Budget, beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import { mergeIntervals } from '../availability/input';
import { insertDays, localText, partsOf } from '../blocks/days';
import { localRange } from '../calendars/read';
import type { Snapshot } from '../catalog/snapshot';
import { type Identity, type Outcome, type StoredSuccess, storeSuccess, writeOnce } from '../idempotency/once';

/** Maximum number of busy times of an application that have not ended. */
const MAX_BUSY = 2_000;
/** Maximum days of a busy time, and maximum days ahead. */
const MAX_DAYS = 31;
const MAX_AHEAD = 731;
const MAX_CONFLICTS = 100;

const CONFLICT = 'The busy time has another version.';

type Body = z.output<typeof busyBody>;

type BusyWrite = {
  policy: Policy;
  snapshot: Snapshot;
  requestId: string;
  identity: Identity;
  now: Date;
  budget: Budget;
  /** Stored in the same transaction as the busy time. */
  logEntry: LogEntry;
};

type Stored = {
  id: string;
  version: number;
  location_id: string;
  specialist_id: string | null;
  from: Date;
  to: Date;
  local_from: string;
  local_to: string;
};

const FIND = statement<Stored>('busy-find')`
  SELECT id, version, pushed_location_id AS location_id, specialist_id, pushed_from AS from, pushed_to AS to,
    to_char(starts_at, 'YYYY-MM-DD"T"HH24:MI') AS local_from, to_char(ends_at, 'YYYY-MM-DD"T"HH24:MI') AS local_to
  FROM blocks
  WHERE tenant_id = ${param.text('tenantId')} AND application_id = ${param.text('applicationId')}
    AND external_id = ${param.text('externalId')}`;

const OWN_SYSTEM = statement<{ isOwn: boolean }>('busy-own-system')`
  SELECT own_system AS "isOwn" FROM applications WHERE tenant_id = ${param.text('tenantId')}
    AND id = ${param.text('applicationId')}`;

const COUNT = statement<{ count: number }>('busy-count')`
  SELECT count(*)::int AS count FROM blocks WHERE tenant_id = ${param.text('tenantId')}
    AND application_id = ${param.text('applicationId')} AND pushed_to > ${param.timestamptz('now')}
    AND external_id <> ${param.text('externalId')}`;

const REMOVE = statement<{ id: string }>('busy-remove')`
  DELETE FROM blocks WHERE tenant_id = ${param.text('tenantId')} AND application_id = ${param.text('applicationId')}
    AND external_id = ${param.text('externalId')} RETURNING id`;

const INSERT = statement<never>('busy-insert')`
  INSERT INTO blocks (id, tenant_id, subject_id, specialist_id, location_id, source, version, created_at, starts_at,
    ends_at, last_day, application_id, external_id, pushed_location_id, pushed_from, pushed_to)
  VALUES (${param.text('id')}, ${param.text('tenantId')}, ${param.text('subjectId')}, ${nullable(param.text('specialistId'))},
    ${nullable(param.text('blockedLocationId'))}, 'system', ${param.int('version')}, ${param.timestamptz('now')},
    ${param.text('startsAt')}::timestamp, ${param.text('endsAt')}::timestamp, ${param.date('lastDay')},
    ${param.text('applicationId')}, ${param.text('externalId')}, ${param.text('locationId')}, ${param.timestamptz('from')},
    ${param.timestamptz('to')})`;

const CONFLICTS = statement<{ count: number }>('busy-conflicts')`
  SELECT count(*)::int AS count FROM (
    SELECT FROM bookings b WHERE b.tenant_id = ${param.text('tenantId')} AND b.status = 'confirmed'
      AND b.starts_at > ${param.timestamptz('from')} - interval '1 day' AND b.starts_at < ${param.timestamptz('to')}
      AND b.ends_at > ${param.timestamptz('from')}
      AND ${param.text('subjectId')} IN (b.specialist_id, b.location_id) LIMIT ${MAX_CONFLICTS}) found`;

/**
 * Creates or replaces a busy time of an own system (contract B15), or replays that (contract B8). Takes the tenant's lock
 * exclusively, like a block: of a busy time and a booking that are made at the same time, one always sees the other.
 * @throws AppError not_found and credential_restricted for the location and the specialist; invalid_request for the range
 *   and if there are too many; booking_version_conflict; insufficient_scope if the application is no own system anymore.
 */
export async function putBusy(write: BusyWrite, externalId: string, body: Body): Promise<Outcome> {
  const { policy } = write;
  const { tenantId, applicationId } = policy;
  return writeOnce(
    { ...write, at: write.now, tenantId, lock: exclusiveTenantLock },
    {
      read: (tx) =>
        Promise.all([
          tx.query(OWN_SYSTEM, { tenantId, applicationId }),
          tx.query(FIND, { tenantId, applicationId, externalId }),
        ]),
      change: (tx, [[application], [before]]) => {
        // The policy can be a second old. A busy time that is stored after the owner removed all would stay.
        if (!application?.isOwn) throw new AppError('insufficient_scope');
        return put(tx, write, externalId, body, before);
      },
    },
  );
}

async function put(
  tx: WriteTx,
  write: BusyWrite,
  externalId: string,
  body: Body,
  before: Stored | undefined,
): Promise<StoredSuccess> {
  const { policy, snapshot, now, identity, requestId } = write;
  const { tenantId, applicationId } = policy;
  const { locationId, specialistId, zones } = resolve(snapshot, policy, body);
  const { from, to } = rangeOf(now, body);
  const [expected, subjectId] = [body.expected_version, specialistId ?? locationId];
  if (expected !== undefined && expected !== before?.version)
    throw new AppError('booking_version_conflict', { message: CONFLICT });
  const ids = { tenantId, applicationId, externalId };
  const times = { from: new Date(from * 60_000), to: new Date(to * 60_000) };
  const isSame =
    before?.location_id === locationId &&
    before.specialist_id === specialistId &&
    before.from.getTime() === times.from.getTime() &&
    before.to.getTime() === times.to.getTime();
  const version = (before?.version ?? 0) + (isSame ? 0 : 1);
  const local = mergeIntervals(zones.map((zone) => localRange(storedZone(zone), from, to)));
  const [startsAt, endsAt] = [localText(local[0]?.from ?? 0), localText(local.at(-1)?.to ?? 0)];
  // The subject can work in other time zones than at the last push.
  const isPlaced = before?.local_from === startsAt && before.local_to === endsAt;
  if (!isSame || !isPlaced) {
    const [counted] = await tx.query(COUNT, { ...ids, now });
    if ((counted?.count ?? 0) >= MAX_BUSY)
      throw invalidField('*', `there can be at most ${MAX_BUSY} busy times that have not ended`);
    await tx.query(REMOVE, ids);
    const parts = local.flatMap((one) => partsOf({ from: localText(one.from), to: localText(one.to), repeat: null }));
    // A feed names the event by this id, so a change keeps it.
    const id = before?.id ?? newId('blk');
    await tx.query(INSERT, {
      ...{ ...ids, id, subjectId, specialistId, locationId, version, now, startsAt, endsAt, ...times },
      blockedLocationId: specialistId === null ? locationId : null,
      lastDay: formatDay(parts.at(-1)?.day ?? 0),
    });
    await insertDays(tx, { tenantId, subjectId }, [{ id, parts }]);
  }
  const [found] = await tx.query(CONFLICTS, { tenantId, subjectId, ...times });
  const shown = { starts_at: times.from.toISOString(), ends_at: times.to.toISOString() };
  const busy = { external_id: externalId, version, location_id: locationId, specialist_id: specialistId, ...shown };
  const data = JSON.stringify({ busy, conflicts: found?.count ?? 0 });
  return storeSuccess(tx, { identity, requestId, logEntry: write.logEntry, data });
}

/** Returns the named records and the time zones in which the subject works. A specialist must work at the location. */
function resolve({ locations, specialists, offerings }: Snapshot, policy: Policy, body: Body) {
  const locationId = body.location_id;
  const location = locations.get(locationId);
  if (!location) throw notFound('location_id');
  if (!mayUseLocation(policy, locationId)) throw new AppError('credential_restricted', { reason: 'location' });
  const specialistId = body.specialist_id ?? null;
  if (specialistId === null) return { locationId, specialistId, zones: [location.timeZone] };
  const own = offerings.filter((offering) => offering.specialistId === specialistId);
  if (!specialists.has(specialistId) || !own.some((offering) => offering.locationId === locationId))
    throw notFound('specialist_id');
  const zones = new Set(own.flatMap((offering) => locations.get(offering.locationId)?.timeZone ?? []));
  return { locationId, specialistId, zones: [...zones] };
}

/** Returns the range in epoch minutes. @throws AppError invalid_request with the field. */
function rangeOf(now: Date, body: Body): { from: number; to: number } {
  const from = Math.floor(Date.parse(body.starts_at) / 60_000);
  const to = Math.ceil(Date.parse(body.ends_at) / 60_000);
  if (to <= from) throw invalidField('ends_at', 'must be after starts_at');
  if (to - from > MAX_DAYS * DAY) throw invalidField('ends_at', `must be at most ${MAX_DAYS} days after starts_at`);
  if (to * 60_000 <= now.getTime()) throw invalidField('ends_at', 'must be in the future');
  if (to * 60_000 > now.getTime() + MAX_AHEAD * DAY * 60_000)
    throw invalidField('ends_at', 'must be at most two years ahead');
  return { from, to };
}

/** Removes a busy time (contract B15). Returns whether it existed, so that a repeated request has the same effect. */
export async function removeBusy({ tenantId, applicationId }: Policy, externalId: string): Promise<boolean> {
  return writeTransaction(beginBudget(0, applicationId), tenantId, async (tx) => {
    const removed = await tx.query(REMOVE, { tenantId, applicationId, externalId });
    return removed.length > 0;
  });
}
