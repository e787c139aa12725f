import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inTurn, noteAccepted } from '@/lib/http/edge/limits/turns';

/** Number of requests that may start in one turn of the event loop. */
const PER_TURN = 16;

/** Simulates a request on a connection. When the request starts, its response is completed immediately. */
function arrive(socket: PassThrough, onStart: (waited: number) => void, key = 'a'): void {
  const headers = { authorization: `Bearer ${key}` };
  const req = { socket, url: '/api/partner/v1/catalog', headers } as unknown as IncomingMessage;
  const res = new EventEmitter() as ServerResponse;
  inTurn(req, res, (waited) => {
    onStart(waited);
    res.emit('close');
  });
}

it('at most sixteen requests start in one turn of the event loop, so that other events are handled in between', async () => {
  await nextTurn();
  let started = 0;
  for (let i = 0; i < 5 * PER_TURN; i++) arrive(new PassThrough(), () => started++);
  for (let turn = 1; turn <= 5; turn++) {
    expect(started).toBe(turn * PER_TURN);
    await nextTurn();
  }
});

it('connections take turns, so that one with many requests does not delay the others', async () => {
  await nextTurn();
  const order: string[] = [];
  const [many, one] = [new PassThrough(), new PassThrough()];
  for (let i = 0; i < 10 * PER_TURN; i++) arrive(many, () => order.push('many'));
  arrive(one, () => order.push('one'));
  await nextTurn();
  expect(order.indexOf('one')).toBeGreaterThan(0);
  expect(order.indexOf('one')).toBeLessThan(2 * PER_TURN);
  many.destroy();
  await once(many, 'close');
});

it('clients take turns, so that one with hundreds of connections does not delay the others', async () => {
  await nextTurn();
  const order: string[] = [];
  for (let i = 0; i < 10 * PER_TURN; i++) arrive(new PassThrough(), () => order.push('many'));
  for (let i = 0; i < 3; i++) arrive(new PassThrough(), () => order.push('few'), 'b');
  await nextTurn();
  expect(order).toHaveLength(2 * PER_TURN);
  expect(order.filter((client) => client === 'few')).toHaveLength(3);
  for (let turn = 3; turn <= 11; turn++) await nextTurn();
  expect(order).toHaveLength(10 * PER_TURN + 3);
});

it('the requests of a closed connection do not start', async () => {
  await nextTurn();
  let started = 0;
  const socket = new PassThrough();
  for (let i = 0; i < 2 * PER_TURN; i++) arrive(socket, () => started++);
  socket.destroy();
  await nextTurn();
  await nextTurn();
  expect(started).toBe(PER_TURN);
});

it('a request learns how long it waited for the event loop, but not for earlier requests of its connection', async () => {
  await nextTurn();
  const waits: number[] = [];
  for (let i = 0; i < PER_TURN + 1; i++) arrive(new PassThrough(), (waited) => waits.push(waited));
  const until = performance.now() + 30;
  while (performance.now() < until);
  await nextTurn();
  expect(waits.slice(0, PER_TURN)).toEqual(Array(PER_TURN).fill(0));
  expect(waits.at(-1)).toBeGreaterThanOrEqual(30);

  const socket = new PassThrough();
  const pending: EventEmitter[] = [];
  const later: number[] = [];
  for (let i = 0; i < 9; i++) {
    const req = { socket, url: '/api/partner/v1/catalog', headers: {} } as unknown as IncomingMessage;
    const res = new EventEmitter() as ServerResponse;
    inTurn(req, res, (waited) => {
      later.push(waited);
      pending.push(res);
    });
  }
  // Eight requests of a connection run at the same time. The ninth waits for the response to one of them.
  expect(later).toHaveLength(8);
  await sleep(30);
  const readyAt = performance.now();
  pending[0]?.emit('close');
  await nextTurn();
  await nextTurn();
  expect(later).toHaveLength(9);
  expect(later.at(-1)).toBeLessThanOrEqual(performance.now() - readyAt);
});

it('while every turn accepts a connection, requests start together after 15 ms', async () => {
  // The previous test must not have started a request within the last 15 ms.
  await sleep(20);
  noteAccepted();
  arrive(new PassThrough(), () => undefined);
  await nextTurn();
  const begun = performance.now();
  const startedAt: number[] = [];
  let arrivals = 0;
  while (performance.now() - begun < 40) {
    noteAccepted();
    arrivals += 1;
    arrive(new PassThrough(), () => startedAt.push(performance.now() - begun));
    const until = performance.now() + 1;
    while (performance.now() < until);
    await nextTurn();
  }
  const pauses = startedAt.map((at, n) => at - (startedAt[n - 1] ?? 0)).filter((pause) => pause > 5);
  expect(pauses.length).toBeLessThanOrEqual(3);
  expect(Math.min(...pauses)).toBeGreaterThan(13);
  await nextTurn();
  await nextTurn();
  expect(startedAt).toHaveLength(arrivals);
});

it('requests start in the next turn if it accepts no connection', async () => {
  await nextTurn();
  let started = 0;
  noteAccepted();
  arrive(new PassThrough(), () => started++);
  expect(started).toBe(0);
  await nextTurn();
  await nextTurn();
  expect(started).toBe(1);
});
