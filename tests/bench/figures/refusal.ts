import { getRequest, orderOf, partnerRequest, rowOf, type Side } from '../compare';
import type { Outcome } from '../figure';
import type { LoadReport } from '../load/order';
import { median } from '../numbers';
import { processorMilliseconds } from '../processor';
import { sized } from '../size';
import type { Stage } from '../stage';

const ROUNDS = sized(5, 2);
/** With the warm-up, all rounds take less than a minute: after that, the quota would allow another request. */
const SECONDS = sized(2, 0.3);
const WARM_UP_SECONDS = sized(2, 0.3);

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
 * Compares the server's processor time for a 429 with the processor time for a bare Next.js route that returns as many
 * bytes as a catalog page. When the threshold was set, Next.js handled catalog pages, and they took longer than this
 * route. Uses the measurement of `measureRefusal`.
 */
export async function measureRefusalBare(stage: Stage): Promise<Outcome> {
  running ??= measureSides(stage);
  const [, refused = Number.NaN, , bare = Number.NaN] = (await running).map(({ costs }) => median(costs));
  return { value: refused / bare, rows: [] };
}

/** Measures a catalog page, a 429, a response of a bare `node:http` server, and a bare Next.js route. */
async function measureSides(stage: Stage): Promise<Measured[]> {
  const page = { label: 'GET /catalog', requests: [partnerRequest(stage, '/catalog')] };
  const first = await stage.serve();
  const { bodyBytes: pageBytes } = await stage.load({ ...orderOf(first.port, page, { count: 1 }), connections: 1 });
  const { port, pid } = await stage.serve({ bareBytes: pageBytes });
  const headers = { Authorization: `Bearer ${stage.limitedKey}`, Accept: 'application/json' };
  const refused = { label: '429', requests: [getRequest('/api/partner/v1/catalog', headers)], status: 429 };
  await spendQuota(port, headers);
  const { bodyBytes } = await stage.load({ ...orderOf(port, refused, { count: 1 }), connections: 1 });
  const node = await stage.serveNode(bodyBytes);
  const bareNode = { label: `bare node:http, ${bodyBytes} bytes`, requests: refused.requests, port: node.port };
  const bareNext = { label: `bare Next.js, ${pageBytes} bytes`, requests: [getRequest('/api/bench/bare')] };
  const sides = [measured(page, pid), measured(refused, pid), measured(bareNode, node.pid), measured(bareNext, pid)];
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
