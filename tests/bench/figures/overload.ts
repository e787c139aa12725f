import { CONNECTIONS, orderOf, rateOf, rowOf } from '../compare';
import type { Outcome } from '../figure';
import type { LoadReport } from '../load';
import { emptyBookings, makeSalon } from '../salon';
import { sized } from '../size';
import type { Stage } from '../stage';
import { bookingRequest, refusalNotes } from './create';

const WARM_UP_SECONDS = sized(2, 0.5);
const CAPACITY_SECONDS = sized(6, 1);
const TIMES = 5;
/** In the first seconds, V8 optimizes the code that refuses requests, and the connections are opened. */
const OVERLOAD = { warmUp: sized(5, 0.5), seconds: sized(20, 2) };
/** Far more than the number of requests that the server processes at a time. */
const FLOOD_CONNECTIONS = 400;

/** `inServer` is the p99 of the accepted creates from the server's own log, in milliseconds. */
type Measured = { before: LoadReport; flood: LoadReport; after: LoadReport; inServer: number };

const ACCEPTED = `
  SELECT percentile_disc(0.99) WITHIN GROUP (ORDER BY duration_ms) AS p99
    FROM request_log WHERE status = 201 AND at BETWEEN $1 AND $2`;

let pending: Promise<Measured> | null = null;

/**
 * Measures how many bookings the server creates when it receives five times as many requests as it can process. The
 * value is the rate of created bookings divided by the capacity. The capacity is the mean of two rates, measured on 16
 * connections before and after the overload, because the speed of the machine can change.
 */
export async function measureOverload(stage: Stage): Promise<Outcome> {
  pending ??= measure(stage);
  const { before, flood, after } = await pending;
  const capacity = (rateOf(before) + rateOf(after)) / 2;
  return {
    value: rateOf(flood) / capacity,
    rows: [
      rowOf(`POST /bookings, ${CONNECTIONS} connections`, [before, after]),
      rowOf(`${TIMES} × capacity: accepted`, [flood]),
    ],
    notes: [
      `responses to other requests, by status: ${JSON.stringify(flood.others)}`,
      `capacity: ${rateOf(before).toFixed(0)}/s before, ${rateOf(after).toFixed(0)}/s after`,
      ...refusalNotes(before, after),
    ],
  };
}

/** Measures the p99 latency, in milliseconds, of the accepted creates during `measureOverload`. */
export async function measureOverloadAccepted(stage: Stage): Promise<Outcome> {
  pending ??= measure(stage);
  const { flood, inServer } = await pending;
  return { value: flood.p99, rows: [], notes: [`in the server's request log: ${inServer.toFixed(0)} ms`] };
}

async function measure(stage: Stage): Promise<Measured> {
  const { pool } = await import('@/lib/platform/db');
  await stage.stopServers();
  await emptyBookings(pool());
  const salon = await makeSalon(stage, 30, 30);
  const { port } = await stage.serve();
  let index = 0;
  const next = (count: number) => Array.from({ length: count }, () => bookingRequest(stage, salon, index++));
  const creates = (seconds: number) =>
    stage.load(orderOf(port, { label: '', requests: next(seconds * 2_000), status: 201 }, { seconds }));
  await creates(WARM_UP_SECONDS);
  const before = await creates(CAPACITY_SECONDS);
  const rate = Math.round(rateOf(before) * TIMES);
  const requests = next(rate * (OVERLOAD.warmUp + OVERLOAD.seconds));
  const counted = new Date(Date.now() + OVERLOAD.warmUp * 1_000);
  const flood = await stage.load({ port, requests, connections: FLOOD_CONNECTIONS, status: 201, rate, ...OVERLOAD });
  const { rows } = await pool().query<{ p99: number }>(ACCEPTED, [counted, new Date()]);
  return { before, flood, after: await creates(CAPACITY_SECONDS), inServer: rows[0]?.p99 ?? Number.NaN };
}
