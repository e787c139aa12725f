import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { newSeed, seeded } from '@/tests/support/random';
import { createPartner, makeStage, onlyBroken, outcomeOf } from '@/tests/support/storm';
import { expectTruth, sendLoad } from '@/tests/support/truth';
import { mixedWrites } from '../faults/writes';
import { pairOfFile } from './stage';

/** Seconds in which the proxy must detect a draining process. A health check can take seconds on a busy machine. */
const DRAIN_DELAY = 5;
/** While the first process is shutting down, each client waits this many milliseconds before each write. */
const PAUSE = 50;
const CLIENTS = 6;

const pair = pairOfFile({ drainDelay: DRAIN_DELAY });

/**
 * After `BEFORE` successful writes, the test tells the first process to stop. Clients send further writes until at
 * least `AFTER` writes have succeeded after the exit of that process.
 */
const BEFORE = 100;
const AFTER = 100;

/**
 * Returns the results of the health checks without repetitions. Omits `unavailable` before the drain, because a busy
 * machine can cause it. Keeps `unavailable` during the drain, because it is an error there: a draining process must
 * report only `draining`.
 */
function withoutDelays(health: string[] = []): string[] {
  const drain = health.indexOf('draining');
  const known = health.filter((seen, index) => seen !== 'unavailable' || (drain >= 0 && index > drain));
  return known.filter((seen, index) => seen !== known[index - 1]);
}

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
  const partner = createPartner(balancer.origin, key);
  const attempt: typeof partner.attempt = async (write) => {
    // While the first process drains, the test needs only a few writes.
    if (!exited && balancer.upstreams[0]?.health.includes('draining')) await delay(PAUSE);
    // A write that waited as long as contract B8 allows was refused because the machine is busy, not because of the drain.
    return partner.insist(write).catch(onlyBroken);
  };
  const sent = await sendLoad(
    { ...partner, attempt },
    {
      workers: CLIENTS,
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
    },
  );
  await stopping;
  const context = `seed ${seed}\n${one.errors()}\n${two.errors()}`;
  expect(await one.ended, context).toBe(0);
  expect(balancer.failures, context).toEqual([]);
  expect(
    sent.filter(({ reply }) => !reply || reply.status >= 500).map(({ reply }) => outcomeOf(reply)),
    context,
  ).toEqual([]);
  const [first, second] = balancer.upstreams;
  // The health check must fail before connections are refused.
  const [ok, draining, ...refused] = withoutDelays(first?.health);
  expect([ok, draining], context).toEqual(['ok', 'draining']);
  for (const seen of refused) expect(seen, context).toMatch(/^ECONN(REFUSED|RESET)$/);
  expect(withoutDelays(second?.health), context).toEqual(['ok']);
  expect(first?.sent, context).toBe(sentAtEnd);
  expect(sentAtEnd, context).toBeGreaterThan(0);
  const found = await expectTruth(stage.tenantId, createPartner(two.origin, key), sent, new Set());
  expect(found.received, context).toBeGreaterThanOrEqual(BEFORE + AFTER);
  expect([found.replayed, found.made], context).toEqual([0, 0]);
}, 120_000);
