import { setTimeout as delay } from 'node:timers/promises';
import { orderOf, partnerRequest, rowOf } from '../compare';
import type { Outcome } from '../figure';
import { residentMebibytes } from '../resident';
import type { Stage } from '../stage';

const FIRST = 10_000;
const ALL = 100_000;
/** Milliseconds until buffered log entries are written. */
const SETTLE = 1_000;

/** Measures the resident memory of a fresh server: growth with the number of requests indicates a leak. */
export async function measureMemory(stage: Stage): Promise<Outcome> {
  const { port, pid } = await stage.serve();
  const side = { label: 'GET /catalog', requests: [partnerRequest(stage, '/catalog')] };
  const first = await stage.load(orderOf(port, side, { count: FIRST }));
  const before = await settledMemory(pid);
  const rest = await stage.load(orderOf(port, side, { count: ALL - FIRST }));
  const after = await settledMemory(pid);
  return {
    value: after / before,
    rows: [rowOf(`${side.label}, the first ${FIRST}`, [first]), rowOf(`${side.label}, up to ${ALL}`, [rest])],
    notes: [`resident memory: ${Math.round(before)} MiB, then ${Math.round(after)} MiB`],
  };
}

async function settledMemory(pid: number): Promise<number> {
  await delay(SETTLE);
  return residentMebibytes(pid);
}
