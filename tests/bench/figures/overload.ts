import { CONNECTIONS, getRequest, orderOf, partnerRequest, rowOf } from '../compare';
import type { Outcome } from '../figure';
import { runProbe } from '../probe';
import { processorMilliseconds, processorMillisecondsOfAll } from '../processor';
import { residentMebibytes } from '../resident';
import { emptyBookings, makeSalon } from '../salon';
import { sized } from '../size';
import type { Stage } from '../stage';
import { bookingRequest, CREATES, refusalNotes } from './create';

const WARM_UP_SECONDS = sized(2, 0.5);
const CAPACITY_SECONDS = sized(6, 1);
const TIMES = 5;
const SECONDS = Number(process.env.BENCH_OVERLOAD_SECONDS ?? sized(10, 2));
/**
 * Number of connections during the overload. The server processes far fewer requests at a time, so it has to refuse
 * some.
 */
const FLOOD_CONNECTIONS = 400;
/** A response within this many milliseconds shows that the server has recovered. */
const RECOVERED = 50;

/**
 * Measures how many booking creations the server accepts when they are sent at a fixed rate of five times its capacity.
 * The value is the accepted requests per second divided by the capacity. The capacity is the rate that 16 connections
 * reach on the same server immediately before the overload.
 */
export async function measureOverload(stage: Stage): Promise<Outcome> {
  const { pool } = await import('@/lib/platform/db');
  await emptyBookings(pool());
  const salon = await makeSalon(stage, 30, 30);
  const { port, pid } = await stage.serve();
  let index = 0;
  const next = (count: number) => Array.from({ length: count }, () => bookingRequest(stage, salon, index++));
  const warm = { ...CREATES, label: 'POST /bookings, capacity', requests: next(12_000) };
  await stage.load(orderOf(port, { ...warm, requests: next(3_000) }, { seconds: WARM_UP_SECONDS }));
  const idle = await processorTime(stage, pid);
  const closed = await stage.load(orderOf(port, warm, { seconds: CAPACITY_SECONDS }));
  const capacityTime = timeBetween(idle, await processorTime(stage, pid), closed);
  const capacity = closed.requests / closed.seconds;
  const rate = Math.round(capacity * TIMES);
  const health = runProbe(port, getRequest('/api/health'));
  const memory = watchMemory(pid);
  const before = await processorTime(stage, pid);
  const open = await stage.openLoad({
    port,
    requests: next(rate * SECONDS),
    connections: FLOOD_CONNECTIONS,
    rate,
    seconds: SECONDS,
    accepted: 201,
  });
  const overloadTime = timeBetween(before, await processorTime(stage, pid), open);
  const recovery = await recoveryOf(port, partnerRequest(stage, '/catalog'));
  const checks = await health.end();
  const shed = open.others[503] ?? { count: 0, p99: Number.NaN };
  return {
    value: open.accepted / open.seconds / capacity,
    rows: [
      rowOf(`${warm.label}, ${CONNECTIONS} connections`, [closed]),
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
      `resident memory at most ${Math.round(await memory.end())} MiB; recovery in ${Math.round(recovery)} ms`,
      `health check: at most ${Math.round(checks)} ms`,
      ...refusalNotes(closed),
      `processor time per second at the capacity: ${capacityTime}`,
      `processor time per second under overload: ${overloadTime}`,
    ],
  };
}

type ProcessorTime = { server: number; database: number };

/** Returns the total processor time of the server and of the database since they started, in milliseconds. */
async function processorTime({ databasePid }: Stage, pid: number): Promise<ProcessorTime> {
  return { server: await processorMilliseconds(pid), database: await processorMillisecondsOfAll(databasePid) };
}

/** Returns text that states the processor time between two readings, in percent of the time of one processor. */
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
 * Sends requests until one takes less than `RECOVERED` milliseconds, for at most about 30 seconds. Returns the elapsed
 * time in milliseconds.
 */
async function recoveryOf(port: number, request: string): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const probe = runProbe(port, request, 1);
    if ((await probe.end()) < RECOVERED || performance.now() - startedAt > 30_000) return performance.now() - startedAt;
  }
}

/** Reads a process's resident memory twice a second. `end` stops the readings and returns the maximum in MiB. */
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
