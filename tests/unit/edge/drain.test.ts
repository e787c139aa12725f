import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { createDrain } from '@/lib/http/edge/lifecycle';
import { isDraining, isStopping } from '@/lib/operations/health';
import { edgeWith } from '../../support/edge';

it('a worker that is replaced starts no more attempts of webhooks, but its health check does not fail', async () => {
  const edge = edgeWith({});
  const drain = createDrain(createServer(), edge);
  expect([edge.draining, isStopping(), isDraining()]).toEqual([false, false, false]);
  await drain(false);
  expect([edge.draining, isStopping(), isDraining()]).toEqual([true, true, false]);
  await drain();
  expect([edge.draining, isStopping(), isDraining()]).toEqual([true, true, true]);
});
