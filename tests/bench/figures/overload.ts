import { CONNECTIONS, getRequest, orderOf, partnerRequest, rateOf, rowOf } from '../compare';
import type { Outcome, Row } from '../figure';
import { quantile } from '../numbers';
import { runProbe } from '../probe';
import { processorMilliseconds, processorMillisecondsOfAll } from '../processor';
import { residentMebibytes } from '../resident';
import { emptyBookings, makeSalon } from '../salon';
import { METRICS, processorWait, readLoopDelay } from '../server-delay';
import { sized } from '../size';
import type { Stage } from '../stage';
import { prepareViews, type Views } from '../views';
import { bookingRequest, CREATES, refusalNotes } from './create';

const WARM_UP_SECONDS = sized(2, 0.5);
const CAPACITY_SECONDS = sized(6, 1);
/**
 * Seconds of overload before the measured run. During this time, V8 optimizes the code that refuses requests. The
 * `notes` of the result also state the p99 of the refusals during this time.
 */
const FIRST_SECONDS = sized(5, 0.5);
const TIMES = 5;
const SECONDS = Number(process.env.BENCH_OVERLOAD_SECONDS ?? sized(20, 2));
/**
 * Number of connections during the overload. It is far higher than the number of requests that the server processes
 * at a time.
 */
const FLOOD_CONNECTIONS = 400;
/** Whether an owner views the Bookings page every ten seconds. BENCH_VIEWS=0 measures the overload without views. */
const VIEWS = process.env.BENCH_VIEWS !== '0';
/** A response within this many milliseconds shows that the server has recovered. */
const RECOVERED = 50;

type Measured = {
  /** Accepted requests per second divided by the capacity. */
  goodput: number;
  /** The p99 latency of accepted requests in milliseconds. */
  accepted: number;
  rows: Row[];
  notes: string[];
};

let pending: Promise<Measured> | null = null;

/** Returns the measurement of the overload. The measurement runs only once per run of the benchmarks. */
function measured(stage: Stage): Promise<Measured> {
  pending ??= measure(stage);
  return pending;
}

/**
 * Measures how many bookings the server creates when it receives five times as many requests as it can process. An
 * owner uses the Control Center at the same time. The value is the rate of created bookings divided by the capacity.
 * The capacity is the mean of two rates, measured on 16 connections before and after the overload, because the speed of
 * the machine can change.
 */
export async function measureOverload(stage: Stage): Promise<Outcome> {
  const { goodput, rows, notes } = await measured(stage);
  return { value: goodput, rows, notes };
}

/** Measures the p99 latency, in milliseconds, of the accepted creates during `measureOverload`. */
export async function measureOverloadAccepted(stage: Stage): Promise<Outcome> {
  return { value: (await measured(stage)).accepted, rows: [] };
}

async function measure(stage: Stage): Promise<Measured> {
  const { pool } = await import('@/lib/platform/db');
  await emptyBookings(pool());
  const salon = await makeSalon(stage, 30, 30);
  const { port, pid } = await stage.serve({ environment: METRICS });
  let index = 0;
  const next = (count: number) => Array.from({ length: count }, () => bookingRequest(stage, salon, index++));
  const warm = { ...CREATES, label: 'POST /bookings, capacity', requests: next(12_000) };
  await stage.load(orderOf(port, { ...warm, requests: next(3_000) }, { seconds: WARM_UP_SECONDS }));
  const idle = await processorTime(stage, pid);
  const closed = await stage.load(orderOf(port, warm, { seconds: CAPACITY_SECONDS }));
  const capacityTime = timeBetween(idle, await processorTime(stage, pid), closed);
  const rate = Math.round(rateOf(closed) * TIMES);
  const flood = { port, connections: FLOOD_CONNECTIONS, rate, accepted: CREATES.status };
  const first = await stage.openLoad({ ...flood, requests: next(rate * FIRST_SECONDS), seconds: FIRST_SECONDS });
  const views = VIEWS ? (await prepareViews(stage, port)).start() : null;
  const health = runProbe(port, getRequest('/api/health'));
  const server = await watchServer(port, pid);
  const before = await processorTime(stage, pid);
  const open = await stage.openLoad({ ...flood, requests: next(rate * SECONDS), seconds: SECONDS });
  const overloadTime = timeBetween(before, await processorTime(stage, pid), open);
  const { memory, delays } = await server.end();
  const recovery = await recoveryOf(port, partnerRequest(stage, '/catalog'));
  const checks = await health.end();
  const seen = await views?.end();
  const again = await stage.load(orderOf(port, { ...warm, requests: next(12_000) }, { seconds: CAPACITY_SECONDS }));
  const capacity = (rateOf(closed) + rateOf(again)) / 2;
  const shed = open.others[503] ?? { count: 0, p99: Number.NaN };
  return {
    goodput: open.accepted / open.seconds / capacity,
    accepted: open.p99,
    rows: [
      rowOf(`${warm.label}, ${CONNECTIONS} connections`, [closed, again]),
      {
        label: `${TIMES} × capacity: accepted`,
        rate: open.accepted / open.seconds,
        p50: open.p50,
        p95: NaN,
        p99: open.p99,
      },
      { label: `${TIMES} × capacity: shed`, rate: shed.count / open.seconds, p50: NaN, p95: NaN, p99: shed.p99 },
    ],
    notes: [
      `${rate} requests/s for ${SECONDS} s; ${open.unanswered} without a response`,
      `p99 of the refusals in ${FIRST_SECONDS} s of overload before: ${Math.round(first.others[503]?.p99 ?? Number.NaN)} ms`,
      `resident memory at most ${Math.round(memory)} MiB; recovery in ${Math.round(recovery)} ms`,
      `health check: at most ${Math.round(checks)} ms`,
      ...(seen ? viewNotes(seen) : []),
      `capacity: ${rateOf(closed).toFixed(0)}/s before, ${rateOf(again).toFixed(0)}/s after`,
      ...refusalNotes(closed, again),
      delays,
      `processor time per second at the capacity: ${capacityTime}`,
      `processor time per second under overload: ${overloadTime}`,
    ],
  };
}

function viewNotes({ latencies, failed }: Views): string[] {
  const [middle, longest] = [0.5, 1].map((share) => quantile(latencies, share).toFixed(0));
  const count = latencies.length + failed;
  return [`Bookings page: ${count} views, ${middle} ms in the median, at most ${longest} ms, ${failed} failed`];
}

type ProcessorTime = { server: number; database: number };

/** Returns the processor time, in milliseconds, that the server and the database have used since they started. */
async function processorTime({ databasePid }: Stage, pid: number): Promise<ProcessorTime> {
  return { server: await processorMilliseconds(pid), database: await processorMillisecondsOfAll(databasePid) };
}

/** Returns as text how much processor time was used between two readings. 100 % means one processor all the time. */
function timeBetween(
  from: ProcessorTime,
  to: ProcessorTime,
  { seconds, cpu }: { seconds: number; cpu: number },
): string {
  const share = (milliseconds: number) => `${Math.round(milliseconds / seconds / 10)} %`;
  const parts = [
    `server ${share(to.server - from.server)}`,
    `PostgreSQL ${share(to.database - from.database)}`,
    `load ${share(cpu * seconds * 1000)}`,
  ];
  return parts.join(', ');
}

/**
 * Sends one request after the other until one takes less than `RECOVERED` milliseconds. Gives up after about 30
 * seconds. Returns the elapsed milliseconds.
 */
async function recoveryOf(port: number, request: string): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const probe = runProbe(port, request, 1);
    if ((await probe.end()) < RECOVERED || performance.now() - startedAt > 30_000) return performance.now() - startedAt;
  }
}

/**
 * Watches the server during the overload. `end` returns the server's highest resident memory in MiB, and a text that
 * states what delayed the server: other processes, or its own event loop.
 */
async function watchServer(
  port: number,
  pid: number,
): Promise<{ end: () => Promise<{ memory: number; delays: string }> }> {
  const memory = watchMemory(pid);
  const startedAt = performance.now();
  const waited = await processorWait(pid);
  await readLoopDelay(port);
  const end = async () => {
    const { p99, longest } = await readLoopDelay(port);
    const share = ((await processorWait(pid)) - waited) / (performance.now() - startedAt);
    const timers = `timers fired ${p99.toFixed(0)} ms late at the p99, ${longest.toFixed(0)} ms at most`;
    const delays = `the server waited ${Math.round(share * 100)} % of the time for a processor; its ${timers}`;
    return { memory: await memory.end(), delays };
  };
  return { end };
}

/** Reads a process's resident memory twice a second. `end` returns the maximum in MiB. */
function watchMemory(pid: number): { end: () => Promise<number> } {
  let most = 0;
  const read = async () => {
    most = Math.max(most, await residentMebibytes(pid));
  };
  const timer = setInterval(() => void read(), 500);
  return {
    end: async () => {
      clearInterval(timer);
      await read();
      return most;
    },
  };
}
