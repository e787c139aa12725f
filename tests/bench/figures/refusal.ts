import { getRequest, orderOf, partnerRequest, rowOf, type Side } from '../compare';
import type { Outcome } from '../figure';
import type { LoadReport } from '../load/order';
import { median } from '../numbers';
import { processorMilliseconds } from '../processor';
import { sized } from '../size';
import type { Stage } from '../stage';

const ROUNDS = sized(5, 2);
const SECONDS = sized(3, 0.5);
const WARM_UP_SECONDS = sized(2, 0.5);

/**
 * One side of the comparison: its requests and the server's process id. `reports` and `costs` have one entry for each
 * run. A cost is the processor time per response in microseconds.
 */
type Measured = { side: Side; pid: number; reports: LoadReport[]; costs: number[] };

let running: Promise<Measured[]> | null = null;

/**
 * Compares the server's processor time for a 429 with the processor time for a catalog page. Also measures a bare
 * `node:http` server that sends a body of the same size as the 429, which shows the minimum for Node.js.
 */
export async function measureRefusal(stage: Stage): Promise<Outcome> {
  running ??= measureSides(stage);
  const sides = await running;
  const [page = Number.NaN, refused = Number.NaN] = sides.map(({ costs }) => median(costs));
  return {
    value: refused / page,
    rows: sides.map(({ side, reports }) => rowOf(side.label, reports)),
    notes: sides.map(({ side, costs }) => `${side.label}: ${median(costs).toFixed(0)} µs of processor time`),
  };
}

/**
 * Compares the server's processor time for a 429 with the processor time for a catalog page through Next.js, which is
 * how pages were served when the threshold was set. Uses the measurement of `measureRefusal`.
 */
export async function measureRefusalNext(stage: Stage): Promise<Outcome> {
  running ??= measureSides(stage);
  const [, refused = Number.NaN, , next = Number.NaN] = (await running).map(({ costs }) => median(costs));
  return { value: refused / next, rows: [] };
}

/** Measures a catalog page, a 429, a response of a bare `node:http` server, and a catalog page through Next.js. */
async function measureSides(stage: Stage): Promise<Measured[]> {
  const { port, pid } = await stage.serve();
  const headers = { Authorization: `Bearer ${stage.limitedKey}`, Accept: 'application/json' };
  const page = { label: 'GET /catalog', requests: [partnerRequest(stage, '/catalog')] };
  const refused = { label: '429', requests: [getRequest('/api/partner/v1/catalog', headers)], status: 429 };
  await spendQuota(port, headers);
  const { bodyBytes } = await stage.load({ ...orderOf(port, refused, { count: 1 }), connections: 1 });
  const node = await stage.serveNode(bodyBytes);
  const bare = { label: `bare node:http, ${bodyBytes} bytes`, requests: refused.requests, port: node.port };
  const next = await stage.serveNext();
  const viaNext = { ...page, label: 'GET /catalog through Next.js', port: next.port };
  const sides = [measured(page, pid), measured(refused, pid), measured(bare, node.pid), measured(viaNext, next.pid)];
  for (const { side } of sides) await stage.load(orderOf(port, side, { seconds: WARM_UP_SECONDS }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const one of sides) await measure(stage, port, one);
  }
  return sides;
}

function measured(side: Side, pid: number): Measured {
  return { side, pid, reports: [], costs: [] };
}

async function measure(stage: Stage, port: number, { side, pid, reports, costs }: Measured): Promise<void> {
  const before = await processorMilliseconds(pid);
  const report = await stage.load(orderOf(port, side, { seconds: SECONDS }));
  costs.push((1_000 * ((await processorMilliseconds(pid)) - before)) / report.requests);
  reports.push(report);
}

/** Sends the one request that the quota allows in a minute, so that the load gets only 429s. */
async function spendQuota(port: number, headers: Record<string, string>): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/partner/v1/catalog`, { headers });
  await response.arrayBuffer();
}
