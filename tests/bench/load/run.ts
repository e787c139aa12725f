import { quantile } from '../numbers';
import { drive } from './connection';
import type { LoadOrder, LoadReport } from './order';

/**
 * Sends the requests of `order` and returns the results.
 * @throws Error if a connection breaks.
 */
export async function runLoad(order: LoadOrder): Promise<LoadReport> {
  const { port, connections, seconds = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY } = order;
  const { status, refused } = order;
  const requests = order.requests.map((text) => Buffer.from(text));
  const latencies: number[] = [];
  const unexpected: Record<string, number> = {};
  let sent = 0;
  let refusals = 0;
  let bodyBytes = 0;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  const traffic = {
    refused,
    next: () => (sent < count && performance.now() < end ? (requests[sent++ % requests.length] ?? null) : null),
    onResponse: (received: number, milliseconds: number, bytes: number) => {
      if (received === refused) {
        refusals++;
        return;
      }
      latencies.push(milliseconds);
      bodyBytes = bytes;
      if (received !== status) unexpected[received] = (unexpected[received] ?? 0) + 1;
    },
  };
  await Promise.all(Array.from({ length: connections }, () => drive(port, traffic)));
  const elapsed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  latencies.sort((a, b) => a - b);
  return {
    requests: latencies.length,
    refusals,
    seconds: elapsed,
    p50: quantile(latencies, 0.5),
    p95: quantile(latencies, 0.95),
    p99: quantile(latencies, 0.99),
    bodyBytes,
    unexpected,
    cpu: (user + system) / 1e6 / elapsed,
  };
}
