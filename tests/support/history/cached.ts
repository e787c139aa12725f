import { setTimeout as delay } from 'node:timers/promises';
import { markChanged } from '@/lib/platform/cache/changes';
import { db } from '@/lib/platform/db';
import { pick } from '../random';
import type { Partner } from '../storm';

/** Milliseconds within which every server must apply a change (architecture 6). */
const APPLIED_WITHIN = 1_000;
/** Milliseconds between two changes. */
const CHANGE_PAUSE = 300;
/** Milliseconds that a reader waits between two reads. */
const READ_PAUSE = 40;
const READERS = 2;

/**
 * The records that servers cache. The price in a response shows which version of the catalog the server had cached. The
 * quota in a response shows which version of the policy the server had cached.
 */
export type CachedRecord = 'catalog' | 'policy';

/** A change of a record to `value`, committed before the time `ended`. Later changes have higher values. */
export type CachedChange = { record: CachedRecord; value: number; ended: number };

/** A read that began at `begun` and whose response contained `value`. All times are from the same clock. */
export type CachedRead = { record: CachedRecord; value: number; begun: number };

export type CachedHistory = { changes: CachedChange[]; reads: CachedRead[] };

/** Returns the stale reads: those that began more than a second after a change but returned an older value. */
export function staleReadsOf({ changes, reads }: CachedHistory): CachedRead[] {
  return reads.filter(({ record, value, begun }) =>
    changes.some((change) => change.record === record && change.value > value && change.ended < begun - APPLIED_WITHIN),
  );
}

type Options = {
  /** Returns a client of the partner API (see `Partner`) for each running server. */
  partners: () => readonly Partner[];
  random: () => number;
  serviceId: string;
  tenantId: string;
  applicationId: string;
};

/**
 * Starts to change a price and a quota repeatedly, and starts clients that read both values. All of them run until
 * `stop` is called. Changes and reads that fail because of a fault are not recorded.
 */
export function startCachedReads({ partners, random, serviceId, tenantId, applicationId }: Options) {
  const history: CachedHistory = { changes: [], reads: [] };
  let stopped = false;
  let value = 100_000;
  const change = async () => {
    await db().$transaction(async (tx) => {
      await tx.service.update({ where: { id: serviceId }, data: { priceAmount: value, priceCurrency: 'EUR' } });
      await tx.application.update({ where: { id: applicationId }, data: { quota: value } });
      await markChanged(tx, 'catalog', tenantId);
      await markChanged(tx, 'policy', applicationId);
    });
    const ended = performance.now();
    history.changes.push({ record: 'catalog', value, ended }, { record: 'policy', value, ended });
  };
  const owner = async () => {
    while (!stopped) {
      value += 1;
      await change().catch(() => undefined);
      await delay(CHANGE_PAUSE);
    }
  };
  const read = async (by: Partner) => {
    const begun = performance.now();
    const reply = await by.catalog();
    if (reply.status !== 200) return;
    const price = reply.data.services.find(({ id }) => id === serviceId)?.price?.amount;
    history.reads.push({ record: 'policy', value: Number(reply.headers['x-ratelimit-limit']), begun });
    history.reads.push({ record: 'catalog', value: price ?? 0, begun });
  };
  const reader = async () => {
    while (!stopped) {
      const running = partners();
      if (running.length > 0) await read(pick(random, running)).catch(() => undefined);
      await delay(READ_PAUSE);
    }
  };
  const ended = Promise.all([owner(), ...Array.from({ length: READERS }, reader)]);
  return {
    history,
    /** Stops the owner and the readers. Resolves when their current requests have ended. */
    stop: async () => {
      stopped = true;
      await ended;
    },
  };
}
