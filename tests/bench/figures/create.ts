import { CONNECTIONS, orderOf, rateOf, rowOf } from '../compare';
import type { Outcome } from '../figure';
import type { LoadReport } from '../load/order';
import { median } from '../numbers';
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
 * The expected status of a booking creation, and the status of a refusal. The server refuses a write that waits too
 * long for a database connection. With this load, that happens only on a machine that creates fewer than about 200
 * bookings per second.
 */
export const CREATES = { status: 201, refused: 503 };

/**
 * Compares booking creations with `runPlainSql`, which runs the same statements without HTTP. `runPlainSql` waits for
 * the result of each statement, whereas the server pipelines them. The ratio is the server's rate divided by the rate
 * of `runPlainSql`. At a ratio of 1, the time saved by pipelining equals the time spent on HTTP, authentication,
 * validation, and the slot engine.
 */
export async function measureCreate(stage: Stage): Promise<Outcome> {
  const { pool } = await import('@/lib/platform/db');
  await emptyBookings(pool());
  const salon = await makeSalon(stage);
  const { port } = await stage.serve();
  const requests = createRequests(stage, salon);
  const runs = { sql: [] as LoadReport[], create: [] as LoadReport[] };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const sql = await runPlainSql({ salon, connections: CONNECTIONS, seconds: SECONDS });
    const side = { ...CREATES, label: 'POST /bookings', requests: requests.next() };
    const create = await stage.load(orderOf(port, side, { seconds: SECONDS }));
    if (round < 0) continue;
    runs.sql.push(sql);
    runs.create.push(create);
  }
  const ratios = runs.create.map((report, round) => rateOf(report) / rateOf(runs.sql[round] ?? report));
  return {
    value: median(ratios),
    rows: [rowOf('POST /bookings', runs.create), rowOf('the same SQL alone', runs.sql)],
    notes: [
      `ratios of the rounds: ${ratios.map((ratio) => ratio.toFixed(3)).join(' ')}`,
      ...refusalNotes(...runs.create),
    ],
  };
}

/** Returns a note with the number of refused requests, or no note if none was refused. */
export function refusalNotes(...reports: LoadReport[]): string[] {
  const refusals = reports.reduce((sum, report) => sum + report.refusals, 0);
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
 * Returns the text of a request that creates a booking. Each index below 34,560 stands for a different slot. Higher
 * indexes repeat these slots. A repeated slot can be booked only if another specialist is free.
 */
export function bookingRequest({ apiKey }: Stage, { serviceId, locationId }: Salon, index: number): string {
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
  const headers = [
    'Host: localhost',
    `Authorization: Bearer ${apiKey}`,
    'Content-Type: application/json',
    `Idempotency-Key: bench-${serviceId}-${index}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `POST /api/partner/v1/bookings HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}
