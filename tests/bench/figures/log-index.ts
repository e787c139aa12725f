import { applyMigrations } from '@/lib/operations/environment/migrations';
import { makeUpgraded } from '../../support/upgraded';
import type { Outcome, Row } from '../figure';
import type { OpenReport } from '../load/open';
import { ENTRIES, fillRequestLog } from '../request-log';
import { emptyBookings, makeSalon } from '../salon';
import { sized } from '../size';
import type { Stage } from '../stage';
import { bookingRequest } from './create';

/** Number of bookings created per second. The load is high, but leaves processor time for the migration. */
const RATE = 50;
/** Seconds of each run. In five seconds, a run creates 250 bookings, so one slow request does not determine its p99. */
const SECONDS = sized(5, 1);
/** Number of measured runs before the migration. */
const RUNS = sized(3, 1);
/** Number of runs that only warm up the server. */
const WARM_UP = sized(2, 0);

const MIGRATION = `CREATE INDEX CONCURRENTLY "request_log_tenant_id_method_request_id_idx"
  ON "request_log" ("tenant_id", "method", "request_id");`;

/**
 * Measures how long the creation of a booking takes while a migration indexes the request log, to which each creation
 * adds an entry. Several runs create bookings during the migration. The value is the largest p99 of these runs in
 * milliseconds, or Infinity if a creation failed or was refused.
 */
export async function measureLogIndex(stage: Stage): Promise<Outcome> {
  const { pool } = await import('@/lib/platform/db');
  await fillRequestLog(stage);
  await emptyBookings(pool());
  const salon = await makeSalon(stage);
  const { port } = await stage.serve();
  let index = 0;
  const run = () => {
    const requests = Array.from({ length: RATE * SECONDS }, () => bookingRequest(stage, salon, index++));
    return stage.openLoad({ port, requests, connections: 16, rate: RATE, seconds: SECONDS, accepted: 201 });
  };
  const runs = async (isDone: (count: number) => boolean) => {
    const reports: OpenReport[] = [];
    while (!isDone(reports.length)) reports.push(await run());
    return reports;
  };
  await runs((count) => count === WARM_UP);
  const alone = await runs((count) => count === RUNS);
  const upgraded = await makeUpgraded();
  try {
    await upgraded.write(MIGRATION);
    const begun = performance.now();
    let seconds = 0;
    const migration = applyMigrations(stage.databaseUrl, upgraded.root).finally(() => {
      seconds = (performance.now() - begun) / 1000;
    });
    const beside = await runs((count) => count > 0 && seconds > 0);
    await migration;
    return {
      value: Math.max(...beside.map(p99Of)),
      rows: [rowOf('create beside the migration', beside), rowOf('create alone', alone)],
      notes: [`${ENTRIES.toLocaleString('en')} entries were indexed in ${seconds.toFixed(0)} s`],
    };
  } finally {
    await upgraded.remove();
  }
}

function p99Of({ p99, others, unanswered }: OpenReport): number {
  return Object.keys(others).length > 0 || unanswered > 0 ? Number.POSITIVE_INFINITY : p99;
}

/** Returns a row with the average rate, the largest p50, and the largest p99 of several runs. */
function rowOf(label: string, reports: OpenReport[]): Row {
  const rates = reports.map((report) => report.accepted / report.seconds);
  const largest = (values: number[]) => Math.max(...values);
  return {
    label,
    rate: rates.reduce((sum, rate) => sum + rate, 0) / rates.length,
    p50: largest(reports.map(({ p50 }) => p50)),
    p95: Number.NaN,
    p99: largest(reports.map(p99Of)),
  };
}
