import { markChanged } from '@/lib/platform/cache/changes';
import { db, pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { formatInstant, ZONE_RULES, zoneOf } from '@/lib/platform/time-zones';
import { LACKS_LOCAL, LOCAL_COLUMNS } from '../local-columns';
import { bookingsToMove, moveBookings, moveOf } from './derive-again';
import { knownZone, type Promised, promisedTimes, type Told } from './promised';
import type { BookingRow } from './row';

const BATCH = 1_000;
const MAX_BATCHES = 5_000;

type Row = Told & Pick<BookingRow, 'tenant_id' | 'claim_id' | 'status'>;

// The event of a version contains the local times that the partner was told.
const MISSING = statement<Row>('local-times-missing')`
  SELECT ${LOCAL_COLUMNS}, b.reference, b.tenant_id, b.claim_id, b.status, b.version, b.starts_at, b.ends_at, b.time_zone,
    e.payload
  FROM bookings b LEFT JOIN events e ON e.booking_reference = b.reference AND e.version = b.version
  WHERE ${LACKS_LOCAL} AND b.reference > ${param.text('after')}
  ORDER BY b.reference LIMIT ${param.int('limit')}`;

// Skips a booking that has changed since it was read.
const SET_LOCAL = statement<never>('local-times-set')`
  UPDATE bookings b SET date = given.date, start_time = given.start_time, end_date = given.end_date,
    end_time = given.end_time, time_zone = given.time_zone, zone_rules = nullif(given.rules, ''),
    local_version = b.version
  FROM unnest(${param.texts('references')}, ${param.ints('versions')}, ${param.timestamptzs('starts')},
      ${param.dates('dates')}, ${param.times('times')}, ${param.dates('endDates')}, ${param.times('endTimes')},
      ${param.texts('zones')}, ${param.texts('rules')})
    AS given (reference, version, starts_at, date, start_time, end_date, end_time, time_zone, rules)
  WHERE b.reference = given.reference AND b.version = given.version AND b.starts_at = given.starts_at
    AND ${LACKS_LOCAL}`;

/**
 * Stores the local times of bookings of earlier versions, moves future ones whose instant disagrees, and makes names of
 * time zones canonical, in short batches. Stops when `signal` aborts; the next run continues. `npm run doctor` reports
 * unknown names. Returns the numbers of changed rows.
 */
export async function deriveLocal(
  now: Date,
  signal: AbortSignal,
  { batch = BATCH, maxBatches = MAX_BATCHES } = {},
): Promise<{ bookings: number; names: number }> {
  const names = await correctNames();
  let bookings = 0;
  let after = '';
  for (let run = 0; run < maxBatches && !signal.aborted; run += 1) {
    const { rows } = await pool().query<Row>(bind(MISSING, { after, limit: batch }));
    const toMove = rows.filter((row) => row.status === 'confirmed' && row.claim_id !== null && moveOf(row, now));
    const found = rows.filter((row) => !toMove.includes(row)).flatMap(localOf);
    if (found.length > 0) bookings += (await pool().query(bind(SET_LOCAL, valuesOf(found)))).rowCount ?? 0;
    for (const tenantId of new Set(toMove.map(({ tenant_id }) => tenant_id))) {
      const own = toMove.filter(({ tenant_id }) => tenant_id === tenantId);
      for (const references of bookingsToMove(own, now))
        if (!signal.aborted) bookings += (await moveBookings(now, tenantId, references)).length;
    }
    after = rows.at(-1)?.reference ?? after;
    if (rows.length < batch) break;
  }
  return { bookings, names };
}

type Local = Row & { local: Promised; rules: string };

/**
 * Empty if the time zone is unknown. `rules` is empty for a past booking whose earlier rules disagree, which does not
 * move.
 */
function localOf(row: Row): Local[] {
  const local = promisedTimes(row);
  if (local === null) return [];
  const agrees = ({ date, time }: Promised['start'], at: Date) => {
    const now = formatInstant(zoneOf(local.zone), at.getTime() / 60_000);
    return date === now.date && time === now.time;
  };
  const rules = agrees(local.start, row.starts_at) && agrees(local.end, row.ends_at) ? ZONE_RULES : '';
  return [{ ...row, local, rules }];
}

function valuesOf(found: readonly Local[]) {
  return {
    rules: found.map(({ rules }) => rules),
    references: found.map(({ reference }) => reference),
    versions: found.map(({ version }) => version),
    starts: found.map(({ starts_at }) => starts_at),
    dates: found.map(({ local }) => local.start.date),
    times: found.map(({ local }) => local.start.time),
    endDates: found.map(({ local }) => local.end.date),
    endTimes: found.map(({ local }) => local.end.time),
    zones: found.map(({ local }) => local.zone),
  };
}

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
