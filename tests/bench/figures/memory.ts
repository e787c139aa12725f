import { setTimeout as delay } from 'node:timers/promises';
import { orderOf, partnerRequest, rowOf } from '../compare';
import type { Outcome, Row } from '../figure';
import { residentMebibytes } from '../resident';
import { sized } from '../size';
import type { Stage } from '../stage';

const FIRST = sized(10_000, 1_000);
const ALL = sized(100_000, 10_000);
/** Milliseconds to wait before memory is measured. In this time, the server writes its buffered log entries. */
const SETTLE = 1_000;

type Memory = { before: number; after: number; rows: Row[] };

let measured: Promise<Memory> | null = null;

/**
 * Measures the resident memory after all requests, divided by the resident memory after the first tenth of the
 * requests. Growth indicates a leak.
 */
export async function measureMemory(stage: Stage): Promise<Outcome> {
  measured ??= measure(stage);
  const { before, after, rows } = await measured;
  return {
    value: after / before,
    rows,
    notes: [`resident memory: ${Math.round(before)} MiB, then ${Math.round(after)} MiB`],
  };
}

/** Measures resident memory after all requests, in MiB, in the same run as `measureMemory`. */
export async function measureResident(stage: Stage): Promise<Outcome> {
  measured ??= measure(stage);
  return { value: (await measured).after, rows: [] };
}

/** Measures a new server's resident memory after a tenth of the requests and after all requests. */
async function measure(stage: Stage): Promise<Memory> {
  const { port, pid } = await stage.serve();
  const side = { label: 'GET /catalog', requests: [partnerRequest(stage, '/catalog')] };
  const first = await stage.load(orderOf(port, side, { count: FIRST }));
  const before = await settledMemory(pid);
  const rest = await stage.load(orderOf(port, side, { count: ALL - FIRST }));
  const after = await settledMemory(pid);
  return {
    before,
    after,
    rows: [rowOf(`${side.label}, the first ${FIRST}`, [first]), rowOf(`${side.label}, up to ${ALL}`, [rest])],
  };
}

async function settledMemory(pid: number): Promise<number> {
  await delay(SETTLE);
  return residentMebibytes(pid);
}
