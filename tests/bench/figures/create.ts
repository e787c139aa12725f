import { CONNECTIONS, medianOfRatios, orderOf, rateOf, rowOf } from '../compare';
import type { Outcome } from '../figure';
import type { LoadReport, LoadRequest } from '../load';
import { runPlainSql } from '../plain-create';
import { dayFromNow, emptyBookings, makeSalon, type Salon } from '../salon';
import { sized } from '../size';
import type { Stage } from '../stage';

const ROUNDS = sized(5, 1);
const SECONDS = sized(4, 0.5);
/** Number of rounds that only warm up the server. V8 needs thousands of booking creations to optimize the code. */
const WARM_UP = sized(2, 1);
/** Number of bookable starts per day: one every 15 minutes. */
const STARTS = 96;
/** Number of days on which the requests book slots (see `bookingRequest`). */
const DAYS = 360;
/** Number of requests in all rounds together. Each request books a different slot. */
const REQUESTS = 24_000;

/**
 * Compares booking creations with `runPlainSql`, which runs the same statements without HTTP. `runPlainSql` waits for
 * the result of each statement, whereas the server pipelines them. The ratio is the server's rate divided by the rate
 * of `runPlainSql`. At a ratio of 1, the time saved by pipelining equals the time spent on HTTP, authentication,
 * validation, and the slot engine.
 */
export async function measureCreate(stage: Stage): Promise<Outcome> {
  const { pool } = await import('@/lib/platform/db');
  await stage.stopServers();
  await emptyBookings(pool());
  const salon = await makeSalon(stage);
  const { port } = await stage.serve();
  const requests = createRequests(stage, salon);
  const runs = { sql: [] as LoadReport[], create: [] as LoadReport[] };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const sql = await runPlainSql({ salon, connections: CONNECTIONS, seconds: SECONDS });
    const side = { label: 'POST /bookings', requests: requests.next(), status: 201 };
    const create = await stage.load(orderOf(port, side, { seconds: SECONDS }));
    if (round < 0) continue;
    runs.sql.push(sql);
    runs.create.push(create);
  }
  const { value, notes } = medianOfRatios(runs.create.map(rateOf), runs.sql.map(rateOf));
  return {
    value,
    rows: [rowOf('POST /bookings', runs.create), rowOf('the same SQL alone', runs.sql)],
    notes: [...notes, ...refusalNotes(...runs.create)],
  };
}

/** Returns a note with the number of refused requests, or no note if none was refused. */
export function refusalNotes(...reports: LoadReport[]): string[] {
  const refusals = reports.reduce((sum, { others }) => sum + (others[503] ?? 0), 0);
  return refusals === 0 ? [] : [`${refusals} creates refused: the machine is too slow or too busy for this figure`];
}

/** Returns an object whose `next` returns the requests of one round. Each request books a different slot. */
function createRequests(stage: Stage, salon: Salon) {
  let count = 0;
  const perRun = Math.floor(REQUESTS / (ROUNDS + WARM_UP));
  const next = () => Array.from({ length: perRun }, () => bookingRequest(stage, salon, count++));
  return { next };
}

/**
 * Returns a request that creates a booking. Each index below 34,560 stands for a different slot. Higher
 * indexes repeat these slots. A repeated slot can be booked only if another specialist is free.
 */
export function bookingRequest({ apiKey }: Stage, { serviceId, locationId }: Salon, index: number): LoadRequest {
  const minutes = (index % STARTS) * 15;
  const pad = (value: number) => String(value).padStart(2, '0');
  const body = JSON.stringify({
    service_id: serviceId,
    location_id: locationId,
    date: dayFromNow(2 + (Math.floor(index / STARTS) % DAYS)).date,
    start_time: `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`,
    external_reference: `order-${index}`,
    customer: { name: 'Robin Sample', phone: '+493055501234', consent_to_contact: true },
  });
  const headers = {
    Authorization: `Bearer ${apiKey}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': `bench-${serviceId}-${index}`,
  };
  return { method: 'POST', path: '/api/partner/v1/bookings', headers, body };
}
