import { setTimeout as delay } from 'node:timers/promises';
import { markChanged } from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { pick } from '../random';
import type { Partner } from '../storm';

/** Milliseconds (architecture 6). */
const APPLIED_WITHIN = 1_000;
const CHANGE_PAUSE = 300;
const READ_PAUSE = 40;
const READERS = 2;

/** Prices show the cached version of the catalog, and quotas that of the policy. */
export type CachedRecord = 'catalog' | 'policy';

/** Committed before the time `ended`. Later changes have higher values. */
export type CachedChange = { record: CachedRecord; value: number; ended: number };

/** All times are from the same clock. */
export type CachedRead = { record: CachedRecord; value: number; begun: number };

export type CachedHistory = { changes: CachedChange[]; reads: CachedRead[] };

/** Reads that began more than a second after a change but returned an older value. */
export function staleReadsOf({ changes, reads }: CachedHistory): CachedRead[] {
  return reads.filter(({ record, value, begun }) =>
    changes.some((change) => change.record === record && change.value > value && change.ended < begun - APPLIED_WITHIN),
  );
}

type Options = {
  /** One for each running server. */
  partners: () => readonly Partner[];
  random: () => number;
  serviceId: string;
  tenantId: string;
  applicationId: string;
};

/**
 * Changes a price and a quota repeatedly, and reads both, until `stop` is called. Failures because of a fault are not
 * recorded.
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
    /** Resolves when the current requests have ended. */
    stop: async () => {
      stopped = true;
      await ended;
    },
  };
}
