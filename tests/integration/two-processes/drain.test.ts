import { expect, test } from 'vitest';
import { newSeed, seeded } from '@/tests/support/random';
import { createPartner, makeStage, outcomeOf } from '@/tests/support/storm';
import { expectTruth, sendLoad } from '@/tests/support/truth';
import { mixedWrites } from '../faults/writes';
import { pairOfFile } from './stage';

const pair = pairOfFile();

/**
 * The first process is stopped after `BEFORE` successful writes. The load ends after `AFTER` further successful writes.
 */
const BEFORE = 100;
const AFTER = 100;

test('a process that is stopped under load loses no request, and the proxy never has to retry', async () => {
  const seed = newSeed();
  const stage = await makeStage({ specialists: 3, services: [{ capacity: 4 }] });
  const [key = ''] = stage.keys;
  const writes = mixedWrites(stage.place, seeded(seed));
  const { balancer, one, two } = pair;
  let remaining = BEFORE;
  let stopping: Promise<void> | null = null;
  let exited = false;
  let sentAtEnd = 0;
  const sent = await sendLoad(createPartner(balancer.origin, key), {
    workers: 12,
    next: writes.next,
    stop: () => exited && remaining <= -AFTER,
    onResponse: (exchange) => {
      writes.record(exchange);
      if (exchange.reply && exchange.reply.status < 300) remaining -= 1;
      if (remaining > 0) return;
      stopping ??= one.stop().then(() => {
        exited = true;
        remaining = 0;
        sentAtEnd = balancer.upstreams[0]?.sent ?? 0;
      });
    },
  });
  await stopping;
  const context = `seed ${seed}`;
  expect(await one.ended, context).toBe(0);
  expect(balancer.failures, context).toEqual([]);
  expect(
    sent.filter(({ reply }) => !reply || reply.status >= 500).map(({ reply }) => outcomeOf(reply)),
    context,
  ).toEqual([]);
  const [first, second] = balancer.upstreams;
  // While the process drained, its health check returned 503. The process refused connections only after that.
  expect(first?.health.slice(0, 2), context).toEqual([200, 503]);
  expect(
    first?.health.slice(2).every((seen) => typeof seen === 'string'),
    context,
  ).toBe(true);
  expect(second?.health, context).toEqual([200]);
  expect(first?.sent, context).toBe(sentAtEnd);
  expect(sentAtEnd, context).toBeGreaterThan(0);
  const found = await expectTruth(stage.tenantId, createPartner(two.origin, key), sent, new Set());
  expect(found.received, context).toBeGreaterThanOrEqual(BEFORE + AFTER);
  expect([found.replayed, found.made], context).toEqual([0, 0]);
}, 60_000);
