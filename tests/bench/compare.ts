import type { Row } from './figure';
import type { LoadOrder, LoadReport } from './load/order';
import { median, quantile } from './numbers';
import { sized } from './size';
import type { Stage } from './stage';

export const CONNECTIONS = 16;
const ROUNDS = sized(5, 2);
const SECONDS = sized(4, 0.5);
const WARM_UP_SECONDS = sized(4, 0.5);

/**
 * One side of a comparison: its label, the requests of a run, the expected status (default: 200), and the status of a
 * refusal (see `LoadOrder`). `port` defaults to the server under test.
 */
export type Side = { label: string; requests: string[]; status?: number; refused?: number; port?: number };

/** Returns the text of an HTTP/1.1 GET request. */
export function getRequest(path: string, headers: Record<string, string> = {}): string {
  const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** Returns the text of a GET request to the partner API with the API key of the business under test. */
export function partnerRequest(stage: Stage, path: string): string {
  return getRequest(`/api/partner/v1${path}`, { Authorization: `Bearer ${stage.apiKey}`, Accept: 'application/json' });
}

/** Returns a `LoadOrder` for one side of a comparison, with `CONNECTIONS` connections. */
export function orderOf(
  serverPort: number,
  { requests, status = 200, refused, port = serverPort }: Side,
  end: Pick<LoadOrder, 'seconds' | 'count'>,
): LoadOrder {
  return { port, requests, status, ...(refused && { refused }), connections: CONNECTIONS, ...end };
}

/** How many rounds there are, and for how many seconds each side is measured in one round. */
export type Rounds = { rounds: number; seconds: number };

/**
 * Warms up all sides, and measures each side once per round. For each round, divides the first side's requests per
 * second by the second side's requests per second. Returns the median of these ratios. The sides alternate, so that
 * other load affects them equally. Every other round has the reverse order, so that no trend favors a side.
 * @param sides the two sides to compare; any further sides are measured too, but only shown in `rows`
 */
export async function compare(
  stage: Stage,
  port: number,
  sides: [Side, Side, ...Side[]],
  { rounds, seconds }: Rounds = { rounds: ROUNDS, seconds: SECONDS },
): Promise<{ value: number; rows: Row[]; notes: string[] }> {
  for (const side of sides) await stage.load(orderOf(port, side, { seconds: WARM_UP_SECONDS }));
  const reports = sides.map((): LoadReport[] => []);
  const order = [...sides.entries()];
  for (let round = 0; round < rounds; round++) {
    for (const [index, side] of order) reports[index]?.push(await stage.load(orderOf(port, side, { seconds })));
    order.reverse();
  }
  const [first = [], second = []] = reports;
  const ratios = first.map((report, round) => rateOf(report) / rateOf(second[round] ?? report));
  const busiest = Math.max(...[...first, ...second].map(({ cpu }) => cpu));
  return {
    value: median(ratios),
    rows: sides.map(({ label }, index) => rowOf(label, reports[index] ?? [])),
    notes: [
      `ratios of the rounds: ${ratios.map((ratio) => ratio.toFixed(3)).join(' ')}`,
      ...spreadNotes(ratios),
      `the load process used at most ${Math.round(busiest * 100)} % of one processor`,
    ],
  };
}

/**
 * Compares a read with the bare route of the same server, which only returns a constant body of the same size. A bare
 * `node:http` server shows the upper limit for Node.js on this machine.
 * @param path relative to the base path of the partner API
 */
export async function compareWithBare(stage: Stage, label: string, path: string) {
  const read = { label, requests: [partnerRequest(stage, path)] };
  const { port } = await stage.serve();
  const { bodyBytes } = await stage.load({ ...orderOf(port, read, { count: 1 }), connections: 1 });
  const server = await stage.serve({ bareBytes: bodyBytes });
  const bare = { label: `bare, ${bodyBytes} bytes`, requests: [getRequest('/api/bench/bare')] };
  const node = await stage.serveNode(bodyBytes);
  const limit = { label: 'bare node:http', requests: bare.requests, port: node.port };
  return compare(stage, server.port, [read, bare, limit]);
}

/** Returns a note with the first and the third quartile of the ratios. Returns no note for fewer than eight ratios. */
function spreadNotes(ratios: readonly number[]): string[] {
  if (ratios.length < 8) return [];
  const ascending = [...ratios].sort((a, b) => a - b);
  const [low, high] = [0.25, 0.75].map((share) => quantile(ascending, share).toFixed(3));
  return [`half of them are between ${low} and ${high}`];
}

/** Returns the requests per second of a run. */
export function rateOf({ requests, seconds }: LoadReport): number {
  return requests / seconds;
}

/** Returns one table row with the medians of several runs. */
export function rowOf(label: string, reports: LoadReport[]): Row {
  const medianOf = (value: (report: LoadReport) => number) => median(reports.map(value));
  return {
    label,
    rate: medianOf(rateOf),
    p50: medianOf(({ p50 }) => p50),
    p95: medianOf(({ p95 }) => p95),
    p99: medianOf(({ p99 }) => p99),
  };
}

/** Returns the table row for operations that ran one after another, from their latencies in milliseconds. */
export function rowOfLatencies(label: string, latencies: readonly number[]): Row {
  const seconds = latencies.reduce((sum, milliseconds) => sum + milliseconds, 0) / 1000;
  const ascending = [...latencies].sort((a, b) => a - b);
  return {
    label,
    rate: latencies.length / seconds,
    p50: quantile(ascending, 0.5),
    p95: quantile(ascending, 0.95),
    p99: quantile(ascending, 0.99),
  };
}
