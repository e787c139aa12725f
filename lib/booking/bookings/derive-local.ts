import { z } from 'zod';
import { calendarDate, clockTime } from '@/lib/contract/common';
import { markChanged } from '@/lib/platform/cache/changes';
import { db, pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { canonicalZone, DAY, formatInstant, ZONE_RULES, zoneOf } from '@/lib/platform/time-zones';
import { IS_LOCAL } from '../local-columns';
import { LEGACY_ZONES } from './legacy-zones';

/** Maximum number of rows per batch. */
const BATCH = 1_000;
/** Maximum number of batches per run. */
const MAX_BATCHES = 5_000;

type Row = { reference: string; version: number; starts_at: Date; time_zone: string; payload: string | null };

// The event of a version contains the local date and time that the partner was told.
const MISSING = statement<Row>('local-times-missing')`
  SELECT b.reference, b.version, b.starts_at, b.time_zone, e.payload
  FROM bookings b LEFT JOIN events e ON e.booking_reference = b.reference AND e.version = b.version
  WHERE b.local_version IS DISTINCT FROM b.version AND b.reference > ${param.text('after')}
  ORDER BY b.reference LIMIT ${param.int('limit')}`;

// Skips a booking that has changed since it was read.
const SET_LOCAL = statement<never>('local-times-set')`
  UPDATE bookings b SET date = given.date, start_time = given.start_time, time_zone = given.time_zone,
    zone_rules = nullif(given.rules, ''), local_version = b.version
  FROM unnest(${param.texts('references')}, ${param.ints('versions')}, ${param.timestamptzs('starts')},
      ${param.dates('dates')}, ${param.times('times')}, ${param.texts('zones')},
      ${param.texts('rules')})
    AS given (reference, version, starts_at, date, start_time, time_zone, rules)
  WHERE b.reference = given.reference AND b.version = given.version AND b.starts_at = given.starts_at
    AND NOT (${IS_LOCAL})`;

/**
 * Stores the local date and time of bookings that an earlier version of the software wrote, and replaces names of time
 * zones by the canonical ones. Each batch is one short statement. Stops when `signal` aborts; the next run continues.
 * A name that IANA does not have is left: `npm run doctor` reports it. Returns the numbers of changed rows.
 */
export async function deriveLocal(
  _now: Date,
  signal: AbortSignal,
  { batch = BATCH, maxBatches = MAX_BATCHES } = {},
): Promise<{ bookings: number; names: number }> {
  const names = await correctNames();
  let bookings = 0;
  let after = '';
  for (let run = 0; run < maxBatches && !signal.aborted; run += 1) {
    const { rows } = await pool().query<Row>(bind(MISSING, { after, limit: batch }));
    const found = rows.flatMap(localOf);
    if (found.length > 0) bookings += (await pool().query(bind(SET_LOCAL, valuesOf(found)))).rowCount ?? 0;
    after = rows.at(-1)?.reference ?? after;
    if (rows.length < batch) break;
  }
  return { bookings, names };
}

type Local = Row & { date: string; time: string; rules: string };

/** The fields of an event's payload that state the local start (contract B11). */
const told = z.object({ data: z.object({ booking: z.object({ date: calendarDate, start_time: clockTime }) }) });

/**
 * Returns a list with the local date and time of a booking: those of its event or, without an event, those of its start
 * under the current rules. The list is empty if the time zone is unknown. `rules` is empty if the current rules put the
 * local time at another instant: the earlier version had other rules, and the instants must be derived again.
 */
function localOf(row: Row): Local[] {
  const name = knownZone(row.time_zone);
  if (name === null) return [];
  const now = formatInstant(zoneOf(name), row.starts_at.getTime() / 60_000);
  const { date, time } = toldIn(row.payload, now) ?? now;
  const rules = date === now.date && time === now.time ? ZONE_RULES : '';
  return [{ ...row, time_zone: name, date, time, rules }];
}

/**
 * Returns the local start in an event's payload. Returns null if there is none, or if it is more than a day from `now`:
 * no change of rules moves a local time by more than a day.
 */
function toldIn(payload: string | null, now: { date: string; time: string }) {
  try {
    const { date, start_time: time } = told.parse(JSON.parse(payload ?? 'null')).data.booking;
    const distance = Date.parse(`${date}T${time}Z`) - Date.parse(`${now.date}T${now.time}Z`);
    return Math.abs(distance) <= DAY * 60_000 ? { date, time } : null;
  } catch {
    return null;
  }
}

function valuesOf(found: readonly Local[]) {
  return {
    rules: found.map(({ rules }) => rules),
    references: found.map(({ reference }) => reference),
    versions: found.map(({ version }) => version),
    starts: found.map(({ starts_at }) => starts_at),
    dates: found.map(({ date }) => date),
    times: found.map(({ time }) => time),
    zones: found.map(({ time_zone }) => time_zone),
  };
}

/** Returns the canonical name of a stored name, which an earlier version may have accepted. Null if it is unknown. */
export function knownZone(name: string): string | null {
  return canonicalZone(name) ?? LEGACY_ZONES[name.toUpperCase()] ?? null;
}

/** Replaces the names in locations and tenants by the canonical ones. Returns the number of changed rows. */
async function correctNames(): Promise<number> {
  const { rows } = await pool().query<{ time_zone: string }>(
    'SELECT time_zone FROM locations UNION SELECT time_zone FROM tenants',
  );
  let changed = 0;
  for (const { time_zone: name } of rows) {
    const canonical = knownZone(name);
    if (canonical === null || canonical === name) continue;
    changed += await db().$transaction(async (tx) => {
      const where = { timeZone: name };
      const data = { timeZone: canonical };
      const locations = await tx.location.findMany({ where, select: { tenantId: true }, distinct: ['tenantId'] });
      const { count: ofLocations } = await tx.location.updateMany({ where, data });
      const { count: ofTenants } = await tx.tenant.updateMany({ where, data });
      // In ascending order, because each change locks a row.
      for (const tenantId of locations.map((one) => one.tenantId).sort()) await markChanged(tx, 'catalog', tenantId);
      return ofLocations + ofTenants;
    });
  }
  return changed;
}
