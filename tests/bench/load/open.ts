import { quantile } from '../numbers';
import { openConnection } from './connection';

/** Milliseconds between two checks for requests that are due. */
const TICK = 2;
/**
 * Milliseconds between opening the connections and the first request. The server needs this time, because it accepts
 * only one connection per turn of its event loop. The time is not part of the measurement, because real clients keep
 * their connections.
 */
const SETTLE = 500;
/** Milliseconds to wait for responses after the last request. Later responses do not count. */
const GRACE = 2_000;

/** An open-loop run: requests at a fixed rate, however long the responses take. */
export type OpenOrder = {
  port: number;
  /** Complete HTTP/1.1 requests as text. If the run needs more requests, the list is repeated. */
  requests: string[];
  connections: number;
  /** Requests per second. */
  rate: number;
  seconds: number;
  /** The status of an accepted request. */
  accepted: number;
};

/** The result of an open-loop run. Latencies are in milliseconds and start at the time at which a request was due. */
export type OpenReport = {
  accepted: number;
  p50: number;
  p99: number;
  /** For each status other than `OpenOrder.accepted`, the number of responses and their p99 latency. */
  others: Record<string, { count: number; p99: number }>;
  /** Number of requests that got no response. */
  unanswered: number;
  seconds: number;
  /** Processor time of the process that sent the requests, as a fraction of one processor. */
  cpu: number;
};

/** Sends requests at a fixed rate. If a request must wait for a free connection, the wait is part of its latency. */
export async function runOpenLoad(order: OpenOrder): Promise<OpenReport> {
  const { port, connections, rate, seconds } = order;
  const requests = order.requests.map((text) => Buffer.from(text));
  const latencies = new Map<number, number[]>();
  const pool = Array.from({ length: connections }, () => openConnection(port));
  await Promise.all(pool.map(({ connected }) => connected));
  await new Promise((resolve) => setTimeout(resolve, SETTLE));
  const free = [...pool];
  const due: number[] = [];
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let sent = 0;
  let taken = 0;
  const sendDue = () => {
    while (due.length > taken && free.length > 0) {
      // The connection that has been free the longest sends next, so that every connection is used. The server closes
      // a new connection on which no request arrives within 15 seconds.
      const connection = free.shift();
      const dueAt = due[taken++] ?? 0;
      const request = requests[sent++ % requests.length];
      if (!connection || !request) return;
      connection.send(request, (status) => {
        const list = latencies.get(status) ?? [];
        latencies.set(status, list);
        list.push(performance.now() - dueAt);
        free.push(connection);
        sendDue();
      });
    }
  };
  const total = Math.round(rate * seconds);
  while (due.length < total) {
    const elapsed = (performance.now() - startedAt) / 1000;
    while (due.length < Math.min(total, elapsed * rate)) due.push(startedAt + (due.length / rate) * 1000);
    sendDue();
    await new Promise((resolve) => setTimeout(resolve, TICK));
  }
  const elapsed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const answered = () => [...latencies.values()].reduce((sum, list) => sum + list.length, 0);
  const end = performance.now() + GRACE;
  while (answered() < total && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const { close } of pool) close();
  return reportOf(order, latencies, { total, seconds: elapsed, cpu: (user + system) / 1e6 / elapsed });
}

type Totals = { total: number; seconds: number; cpu: number };

function reportOf({ accepted }: OpenOrder, latencies: Map<number, number[]>, totals: Totals): OpenReport {
  for (const list of latencies.values()) list.sort((a, b) => a - b);
  const good = latencies.get(accepted) ?? [];
  const others = [...latencies].filter(([status]) => status !== accepted);
  const answered = [...latencies.values()].reduce((sum, list) => sum + list.length, 0);
  return {
    accepted: good.length,
    p50: quantile(good, 0.5),
    p99: quantile(good, 0.99),
    others: Object.fromEntries(
      others.map(([status, list]) => [status, { count: list.length, p99: quantile(list, 0.99) }]),
    ),
    unanswered: totals.total - answered,
    seconds: totals.seconds,
    cpu: totals.cpu,
  };
}
