import type { Server } from '../../scripts/start/server';
import type { Row } from './figure';
import type { LoadOrder, LoadReport, LoadRequest } from './load';
import { median } from './numbers';
import { processorMilliseconds } from './processor';
import { sized } from './size';
import type { Stage } from './stage';

export const CONNECTIONS = 16;
const ROUNDS = sized(5, 2);
const SECONDS = sized(4, 0.5);
const WARM_UP_SECONDS = sized(4, 0.5);

/** One side of a comparison. `status` defaults to 200, and `port` to the server under test. */
export type Side = { label: string; requests: LoadRequest[]; status?: number; port?: number };

/** Returns a GET request to the partner API with the API key of the business under test. */
export function partnerRequest({ apiKey }: Stage, path: string): LoadRequest {
  return {
    path: `/api/partner/v1${path}`,
    headers: { Authorization: `Bearer ${apiKey}`, Accept: 'application/json' },
  };
}

/** Returns a `LoadOrder` for one side of a comparison, with `CONNECTIONS` connections. */
export function orderOf(
  serverPort: number,
  { requests, status = 200, port = serverPort }: Side,
  end: { seconds: number } | { count: number },
): LoadOrder {
  return { port, requests, status, connections: CONNECTIONS, ...end };
}

/** How many rounds there are, and for how many seconds each side is measured in one round. */
export type Rounds = { rounds: number; seconds: number };

/**
 * Warms up both sides, and measures each side once per round. For each round, divides the first side's requests per
 * second by the second side's requests per second. Returns the median of these ratios. The sides alternate, so that
 * other load affects them equally. Every other round has the reverse order, so that no trend favors a side.
 */
export async function compare(
  stage: Stage,
  port: number,
  sides: [Side, Side],
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
  return {
    ...medianOfRatios(first.map(rateOf), second.map(rateOf)),
    rows: sides.map(({ label }, index) => rowOf(label, reports[index] ?? [])),
  };
}

/** Divides the values of each round, and returns the median of these ratios and a note that lists them. */
export function medianOfRatios(of: readonly number[], by: readonly number[]): { value: number; notes: string[] } {
  const ratios = of.map((value, round) => value / (by[round] ?? Number.NaN));
  const listed = ratios.map((ratio) => ratio.toFixed(3)).join(' ');
  return { value: median(ratios), notes: [`ratios of the rounds: ${listed}`] };
}

/**
 * Compares a read with the bare route of the same server, which only returns a constant body of the same size.
 * @param path relative to the base path of the partner API
 */
export async function compareWithBare(stage: Stage, label: string, path: string) {
  const read = partnerRequest(stage, path);
  const { port } = await stage.serve();
  const response = await fetch(`http://127.0.0.1:${port}${read.path}`, { headers: read.headers });
  const { byteLength } = await response.arrayBuffer();
  const server = await stage.serve({ bareBytes: byteLength });
  const sides: [Side, Side] = [
    { label, requests: [read] },
    { label: `bare, ${byteLength} bytes`, requests: [{ path: '/api/bench/bare', headers: {} }] },
  ];
  const outcome = await compare(stage, server.port, sides);
  return { ...outcome, notes: [...outcome.notes, await processorNote(stage, server, sides)] };
}

/**
 * Compares the processor time of the server. Unlike the ratio of the rates, it does not include the cost of sending the
 * requests, which is most of what a fast read costs when the load process shares the cores with the server.
 */
async function processorNote(stage: Stage, { port, pid }: Server, [read, bare]: [Side, Side]): Promise<string> {
  const costOf = async (side: Side) => {
    const before = await processorMilliseconds(pid);
    const { requests } = await stage.load(orderOf(port, side, { seconds: SECONDS }));
    return ((await processorMilliseconds(pid)) - before) / requests;
  };
  const [ofRead, ofBare] = [await costOf(read), await costOf(bare)];
  const costs = `${ofRead.toFixed(3)} and ${ofBare.toFixed(3)} ms`;
  return `processor time of the server per request: ${costs}, ratio ${(ofBare / ofRead).toFixed(1)}`;
}

/** Returns the requests per second of a run. */
export function rateOf({ requests, seconds }: LoadReport): number {
  return requests / seconds;
}

/** Returns one table row with the medians of several runs. */
export function rowOf(label: string, reports: LoadReport[]): Row {
  const medianOf = (value: (report: LoadReport) => number) => median(reports.map(value));
  return { label, rate: medianOf(rateOf), p50: medianOf(({ p50 }) => p50), p99: medianOf(({ p99 }) => p99) };
}
