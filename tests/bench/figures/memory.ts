import { setTimeout as delay } from 'node:timers/promises';
import { orderOf, partnerRequest, rowOf } from '../compare';
import type { Outcome, Row } from '../figure';
import { median } from '../numbers';
import { residentMebibytes } from '../resident';
import { sized } from '../size';
import type { Stage } from '../stage';

const FIRST = sized(10_000, 1_000);
const ALL = sized(100_000, 10_000);
/** Milliseconds to wait before memory is measured. In this time, the server writes its buffered log entries. */
const SETTLE = 1_000;
/** Environment variables that make a server run a garbage collection when it receives SIGCONT. */
const COLLECTING = { NODE_OPTIONS: `--import=${new URL('../collect.mjs', import.meta.url)}` };

/** Number of measured servers. V8 optimizes code at varying times, so the memory of a single server varies by 5 %. */
const SERVERS = sized(3, 1);

/** Resident memory in MiB. `resident` is measured before a forced garbage collection, and `retained` after it. */
type Reading = { resident: number; retained: number };
type Memory = { before: Reading; after: Reading; rows: Row[] };

let measured: Promise<Memory[]> | null = null;

/**
 * Measures the growth of the resident memory: its size after all requests, divided by its size after a tenth of the
 * requests. Both sizes are measured after a forced garbage collection, so growth indicates a leak. The result is the
 * median of several servers.
 */
export async function measureMemory(stage: Stage): Promise<Outcome> {
  measured ??= measureServers(stage);
  const servers = await measured;
  const described = ({ resident, retained }: Reading) => `${Math.round(resident)} (${Math.round(retained)}) MiB`;
  return {
    value: median(servers.map(({ before, after }) => after.retained / before.retained)),
    rows: servers[0]?.rows ?? [],
    notes: servers.map(
      ({ before, after }) =>
        `resident memory (after a forced collection): ${described(before)}, then ${described(after)}`,
    ),
  };
}

/**
 * Returns the resident memory in MiB after all requests, before a forced garbage collection. The value is the median
 * of the servers that `measureMemory` also uses.
 */
export async function measureResident(stage: Stage): Promise<Outcome> {
  measured ??= measureServers(stage);
  return { value: median((await measured).map(({ after }) => after.resident)), rows: [] };
}

/** Measures the memory of several servers, which run one after another. */
async function measureServers(stage: Stage): Promise<Memory[]> {
  const servers: Memory[] = [];
  for (let server = 0; server < SERVERS; server++) servers.push(await measure(stage));
  return servers;
}

/** Measures a new server's resident memory twice: after a tenth of the requests, and again after all of them. */
async function measure(stage: Stage): Promise<Memory> {
  const { port, pid } = await stage.serve({ environment: COLLECTING });
  const side = { label: 'GET /catalog', requests: [partnerRequest(stage, '/catalog')] };
  const first = await stage.load(orderOf(port, side, { count: FIRST }));
  const before = await read(pid);
  const rest = await stage.load(orderOf(port, side, { count: ALL - FIRST }));
  const after = await read(pid);
  return {
    before,
    after,
    rows: [rowOf(`${side.label}, the first ${FIRST}`, [first]), rowOf(`${side.label}, up to ${ALL}`, [rest])],
  };
}

async function read(pid: number): Promise<Reading> {
  await delay(SETTLE);
  const resident = await residentMebibytes(pid);
  process.kill(pid, 'SIGCONT');
  await delay(SETTLE);
  return { resident, retained: await residentMebibytes(pid) };
}
