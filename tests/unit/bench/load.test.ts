import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { getRequest } from '@/tests/bench/compare';
import { FIGURES } from '@/tests/bench/figures';
import { runLoad } from '@/tests/bench/load/run';
import { notMeasured, summary, table } from '@/tests/bench/report';

test('refusals are not counted as requests, and any other status is unexpected', async () => {
  const statuses = [201, 503, 201, 500];
  let answered = 0;
  const server = createServer((_, res) => res.writeHead(statuses[answered++ % statuses.length] ?? 201).end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const order = { port, requests: [getRequest('/')], connections: 1, count: 4, status: 201 };
  expect(await runLoad({ ...order, refused: 503 })).toMatchObject({
    requests: 3,
    refusals: 1,
    unexpected: { 500: 1 },
  });
  expect(await runLoad(order)).toMatchObject({ requests: 4, refusals: 0, unexpected: { 500: 1, 503: 1 } });
  server.close();
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
