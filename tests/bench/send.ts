import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';
import { Pool } from 'undici';
import type { FixedRate, LoadOrder, LoadReport } from './load';
import { quantile } from './numbers';

/** Milliseconds between two checks for requests that are due. */
const TICK = 2;

/** autocannon's own end may come before the first response. In seconds. */
const FOREVER = { duration: 86_400 };

type OnResponse = (status: number, milliseconds: number) => void;

/** Sends the requests of `order`. @throws Error if a connection breaks */
export async function sendLoad(order: LoadOrder): Promise<LoadReport> {
  const latencies: number[] = [];
  const others: Record<string, number> = {};
  const onResponse: OnResponse = (status, milliseconds) => {
    if (status === order.status) latencies.push(milliseconds);
    else others[status] = (others[status] ?? 0) + 1;
  };
  const seconds = 'rate' in order ? await sendAtRate(order, onResponse) : await sendInTurn(order, onResponse);
  latencies.sort((a, b) => a - b);
  const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  return { requests: latencies.length, seconds, p50, p99, others };
}

/**
 * Each connection sends its next request after the response. The first response after `order.seconds` ends the run, so
 * there is one even on a busy machine. Returns the seconds until the last response.
 */
async function sendInTurn(order: LoadOrder, onResponse: OnResponse): Promise<number> {
  const { port, requests, connections } = order;
  const [seconds, end] =
    'count' in order ? [Number.POSITIVE_INFINITY, { amount: order.count }] : [order.seconds, FOREVER];
  let sent = 0;
  const next = { setupRequest: (defaults: object) => ({ ...defaults, ...requests[sent++ % requests.length] }) };
  const options = {
    url: `http://127.0.0.1:${port}`,
    connections,
    requests: requests.length === 1 ? requests : [next],
    ...end,
    // The server closes a connection after 1,000 requests. autocannon would then mistake the response to each request
    // for that to the one before.
    reconnectRate: 900,
    // autocannon ends at the end of an interval, and here at the first error.
    sampleInt: 100,
    bailout: 1,
    timeout: 60,
  };
  const startedAt = performance.now();
  let lastAt = startedAt;
  const { errors } = await new Promise<autocannon.Result>((resolve, reject) => {
    const done = (error: unknown, result: autocannon.Result) => (error ? reject(error) : resolve(result));
    const running = autocannon(options, done).on('response', (_, status, _bytes, milliseconds) => {
      lastAt = performance.now();
      onResponse(status, milliseconds);
      if (lastAt - startedAt > seconds * 1000) running.stop();
    });
  });
  if (errors > 0) throw new Error('A request got no response.');
  return (lastAt - startedAt) / 1000;
}

/**
 * Sends requests at a fixed rate. A latency starts when the request is due, so it includes the wait for a connection.
 * autocannon cannot do this: it sends what a second allows at its start, and waits for each response.
 */
async function sendAtRate(order: LoadOrder & FixedRate, onResponse: OnResponse): Promise<number> {
  const { port, requests, connections, rate, warmUp, seconds } = order;
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
  const startedAt = performance.now();
  const dueAt = (index: number) => startedAt + (index / rate) * 1000;
  const send = (index: number) =>
    new Promise<void>((resolve) => {
      const end = (received: number) => {
        if (index >= rate * warmUp) onResponse(received, performance.now() - dueAt(index));
        resolve();
      };
      let status = 0;
      const { method = 'GET', ...request } = requests[index % requests.length] ?? { path: '/', headers: {} };
      pool.dispatch(
        { ...request, method },
        {
          onRequestStart: () => {},
          onResponseStart: (_, received) => {
            status = received;
          },
          onResponseData: () => {},
          onResponseEnd: () => end(status),
          onResponseError: () => end(0),
        },
      );
    });
  const running: Promise<void>[] = [];
  while (running.length < Math.round(rate * (warmUp + seconds))) {
    if (dueAt(running.length) <= performance.now()) running.push(send(running.length));
    else await delay(TICK);
  }
  await Promise.all(running);
  await pool.close();
  return seconds;
}
