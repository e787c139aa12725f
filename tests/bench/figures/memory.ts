import { setTimeout as delay } from 'node:timers/promises';
import { orderOf, partnerRequest, rowOf } from '../compare';
import type { Figure } from '../figure';
import { residentMebibytes } from '../resident';

const FIRST = 10_000;
const ALL = 100_000;
/** Milliseconds until what is buffered is written. */
const SETTLE = 1_000;

/** Resident memory of a server that began empty: what grows with the number of requests leaks. */
export const memory: Figure = {
  name: 'memory',
  title: 'resident memory after 100,000 requests ÷ after 10,000',
  floor: { below: 1.15 },
  run: async (stage) => {
    const { port, pid } = await stage.serve();
    const side = { what: 'GET /catalog', requests: [partnerRequest(stage, '/catalog')] };
    const first = await stage.load(orderOf(port, side, { count: FIRST }));
    const before = await settledMemory(pid);
    const rest = await stage.load(orderOf(port, side, { count: ALL - FIRST }));
    const after = await settledMemory(pid);
    return {
      value: after / before,
      rows: [rowOf(`${side.what}, the first ${FIRST}`, [first]), rowOf(`${side.what}, up to ${ALL}`, [rest])],
      notes: [`resident memory: ${Math.round(before)} MiB, then ${Math.round(after)} MiB`],
    };
  },
};

async function settledMemory(pid: number): Promise<number> {
  await delay(SETTLE);
  return residentMebibytes(pid);
}
