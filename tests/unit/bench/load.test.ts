import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { FIGURES } from '@/tests/bench/figures';
import { notMeasured, summary, table } from '@/tests/bench/report';
import { sendLoad } from '@/tests/bench/send';

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const numbered = Array.from({ length: 4 }, (_, n) => ({
  ...{ method: 'POST' as const, path: `/${n}`, headers: { 'x-number': `${n}` }, body: `body ${n}` },
}));

test('each request is sent once, and only responses with the expected status count', async () => {
  const received: string[] = [];
  const port = await serve(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    received.push(`${req.method} ${req.url} ${req.headers['x-number']} ${body}`);
    res.writeHead([201, 503, 201, 500][received.length - 1] ?? 400).end('{}');
  });
  const order = { port, requests: numbered, status: 201, connections: 1, count: 4 };
  expect(await sendLoad(order)).toMatchObject({ requests: 2, others: { 500: 1, 503: 1 } });
  expect(received).toEqual([0, 1, 2, 3].map((n) => `POST /${n} ${n} body ${n}`));
});

test('a run has a response, even if the first one takes longer than the run', async () => {
  const port = await serve((_, res) => void setTimeout(() => res.end('{}'), 50));
  const order = { port, requests: [{ path: '/', headers: {} }], status: 200, connections: 1 };
  expect((await sendLoad({ ...order, seconds: 0.01 })).requests).toBeGreaterThan(0);
});

test('a broken connection ends the run', async () => {
  const port = await serve((req) => void req.socket.resetAndDestroy());
  const order = { port, requests: [{ path: '/', headers: {} }], status: 200, connections: 1 };
  await expect(sendLoad({ ...order, seconds: 0.1 })).rejects.toThrow('A request got no response.');
});

test('at a fixed rate, the latency includes the wait for a connection', async () => {
  let received = 0;
  const port = await serve((_, res) => {
    received += 1;
    setTimeout(() => res.end('{}'), 20);
  });
  const order = { port, requests: [{ path: '/', headers: {} }], status: 200, connections: 1 };
  const { requests, p99 } = await sendLoad({ ...order, rate: 100, warmUp: 0.1, seconds: 0.4 });
  expect({ received, requests }).toEqual({ received: 50, requests: 40 });
  expect(p99).toBeGreaterThan(300);
});

test('a figure whose measurement failed is printed with the reason, without a verdict', () => {
  const named = (name: string) => FIGURES.filter((figure) => figure.name === name);
  const figures = [
    ...named('catalog').map((figure) => ({ figure, outcome: notMeasured(new Error('The load process exited.')) })),
    ...named('availability').map((figure) => ({ figure, outcome: { value: 2, rows: [] } })),
  ];
  const printed = table(figures);
  expect(printed).toContain('catalog read ÷ bare: not measured\n  The load process exited.');
  expect(printed).toContain('2.000 (at least 2: met)');
  expect(summary(figures)).toBe('{"catalog":null,"availability":2}');
});
