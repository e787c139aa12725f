import type { Row } from './figure';
import type { LoadOrder, LoadReport } from './load/order';
import { median } from './numbers';
import type { Stage } from './stage';

/** Connections of every load, and of what is compared with one. */
export const CONNECTIONS = 16;
const ROUNDS = 5;
const SECONDS = 4;
const WARM_UP_SECONDS = 4;

/** One side of a comparison: what is asked, and the requests of a run. */
export type Side = { what: string; requests: string[]; status?: number };

/** Returns a GET request as it goes over the wire. */
export function getRequest(path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** Returns the request of the application that the benchmarks ask as. */
export function partnerRequest(stage: Stage, path: string): string {
  return getRequest(`/api/partner/v1${path}`, { Authorization: `Bearer ${stage.apiKey}`, Accept: 'application/json' });
}

/** Returns an order for one run at the connections that all figures use. */
export function orderOf(
  port: number,
  { requests, status = 200 }: Side,
  end: Pick<LoadOrder, 'seconds' | 'count'>,
): LoadOrder {
  return { port, requests, status, connections: CONNECTIONS, ...end };
}

/**
 * Measures both sides in turn on one server, after a warm-up of each, and returns the median of the rounds' ratios
 * (first ÷ second, of requests a second): what else the machine does hits both sides alike.
 */
export async function compare(
  stage: Stage,
  port: number,
  sides: [Side, Side],
): Promise<{ value: number; rows: Row[]; notes: string[] }> {
  for (const side of sides) await stage.load(orderOf(port, side, { seconds: WARM_UP_SECONDS }));
  const first: LoadReport[] = [];
  const second: LoadReport[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    first.push(await stage.load(orderOf(port, sides[0], { seconds: SECONDS })));
    second.push(await stage.load(orderOf(port, sides[1], { seconds: SECONDS })));
  }
  const ratios = first.map((report, round) => rateOf(report) / rateOf(second[round] ?? report));
  const busiest = Math.max(...[...first, ...second].map(({ cpu }) => cpu));
  return {
    value: median(ratios),
    rows: [rowOf(sides[0].what, first), rowOf(sides[1].what, second)],
    notes: [
      `ratios of the rounds: ${ratios.map((ratio) => ratio.toFixed(3)).join(' ')}`,
      `the load process used at most ${Math.round(busiest * 100)} % of one processor`,
    ],
  };
}

/**
 * Compares a read with the bare route, which answers a constant body of the same size.
 * @param path below the base path of the partner API.
 */
export async function compareWithBare(stage: Stage, what: string, path: string) {
  const asked = { what, requests: [partnerRequest(stage, path)] };
  const { port } = await stage.serve();
  const { bodyBytes } = await stage.load({ ...orderOf(port, asked, { count: 1 }), connections: 1 });
  const server = await stage.serve({ bareBytes: bodyBytes });
  const bare = { what: `bare, ${bodyBytes} bytes`, requests: [getRequest('/api/bench/bare')] };
  return compare(stage, server.port, [asked, bare]);
}

function rateOf({ requests, seconds }: LoadReport): number {
  return requests / seconds;
}

/** Returns the line of the table for the runs of one side: the median of each number. */
export function rowOf(what: string, reports: LoadReport[]): Row {
  const middle = (of: (report: LoadReport) => number) => median(reports.map(of));
  return {
    what,
    rate: middle(rateOf),
    p50: middle(({ p50 }) => p50),
    p95: middle(({ p95 }) => p95),
    p99: middle(({ p99 }) => p99),
  };
}
