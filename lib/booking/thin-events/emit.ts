import { setImmediate as turn } from 'node:timers/promises';
import { refreshFromNow } from '@/lib/platform/cache';
import { pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { recurringWarning } from '@/lib/platform/recurring-warning';
import { bind } from '@/lib/platform/sql';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import { type Snapshot, snapshotOf } from '../catalog/snapshot';
import { type Affected, affectedBy, type SlotChange } from './affected';
import { comparedOf, type Readable } from './readable';
import {
  BATCH,
  BEGIN_WATCHES,
  DUE_TENANTS,
  EMIT,
  END_WATCHES,
  INTERVAL,
  LOCK_WATCHES,
  MAX_RANGES,
  MISS_ALL,
  type RangeRow,
  READ_READABLE,
  type ReadableRow,
  TAKE_CHANGES,
  TELL,
  type Watch,
} from './statements';
import { type Found, told } from './told';

/** Transactions per tenant and run that only shorten the queue. */
const MAX_BATCHES = 50;

const failed = recurringWarning('thin events could not be emitted');

/**
 * Emits the thin events that are due (contract B17), and returns the number of tenants. Events, the end of their queue rows,
 * and what was told commit together, so a kill loses and doubles nothing, and several processes can do this at once. A
 * tenant that fails is tried again by the next run.
 * @param only the id of the only tenant, by default all
 */
export async function emitThinEvents(now: Date, signal?: AbortSignal, only: string | null = null): Promise<number> {
  await pool().query(bind(END_WATCHES, { only }));
  await pool().query(bind(BEGIN_WATCHES, { now, only }));
  const { rows } = await pool().query<{ tenantId: string }>(bind(DUE_TENANTS, { now, only }));
  let emitted = 0;
  for (const { tenantId } of rows) {
    if (signal?.aborted) break;
    try {
      await emitFor(now, tenantId, signal);
      emitted += 1;
    } catch (error) {
      failed.warn(error);
    }
  }
  return emitted;
}

async function emitFor(now: Date, tenantId: string, signal?: AbortSignal): Promise<void> {
  // The order matters: what is read later is at least as new.
  const { rows } = await pool().query<ReadableRow>(bind(READ_READABLE, { tenantId }));
  await refreshFromNow();
  const snapshot = await snapshotOf(tenantId);
  const readable = await readableOf(snapshot, rows);
  for (let batch = 0; batch < MAX_BATCHES && !signal?.aborted; batch += 1) {
    const ended = await writeTransaction(beginBudget(), tenantId, (tx) => emitBatch(tx, now, snapshot, readable));
    if (ended) return;
    await turn();
  }
}

/** Returns false if the queue has more rows. */
async function emitBatch(tx: WriteTx, now: Date, snapshot: Snapshot, readable: Readable[]): Promise<boolean> {
  const { tenantId } = snapshot;
  const clocks = env().ENVIRONMENT === 'TEST' ? 1 : 0;
  const watches = await tx.query(LOCK_WATCHES, { tenantId, clocks });
  if (watches.some(({ nextAt }) => nextAt > now)) return true;
  const rows = await tx.query(TAKE_CHANGES, { tenantId });
  if ((rows[0]?.taken ?? 0) >= BATCH) {
    await tx.query(MISS_ALL, { tenantId });
    return false;
  }
  const changed = await affected(snapshot, rows);
  for (const watch of watches) {
    const found = readable.find(({ applicationId }) => applicationId === watch.applicationId);
    // A watch that began meanwhile is told everything later.
    if (found) await tell(tx, now, { snapshot, watch, readable: found, changed });
  }
  return true;
}

async function readableOf(snapshot: Snapshot, rows: ReadableRow[]): Promise<Readable[]> {
  const readable: Readable[] = [];
  for (const { untold, allLocations, locationIds, ...row } of rows) {
    // As that of the policy, so that both share the views of a catalog.
    const locationKey = allLocations ? '*' : locationIds.join(' ');
    const allowed = { allLocations, locationIds: new Set(locationIds), locationKey };
    readable.push({ ...row, allowed, compared: untold ? await comparedOf(snapshot, allowed) : null });
  }
  return readable;
}

/** Null if there are too many changes to tell them one by one. */
async function affected(snapshot: Snapshot, rows: RangeRow[]): Promise<Affected | null> {
  if (rows.length > MAX_RANGES) return null;
  const changes = rows.flatMap(({ subjectId, local, from, to }): SlotChange[] =>
    subjectId === null || local === null ? [] : [{ subjectId, local, from: Number(from), to: Number(to) }],
  );
  return affectedBy(snapshot, changes);
}

async function tell(tx: WriteTx, now: Date, found: Found & { watch: Watch }): Promise<void> {
  const { tenantId } = found.snapshot;
  const { applicationId } = found.watch;
  const { events, ...state } = told(now, found);
  for (const { id, type, payload } of events)
    await tx.query(EMIT, { id, tenantId, applicationId, eventType: type, payload, deliverAt: now });
  await tx.query(TELL, { applicationId, nextAt: new Date(now.getTime() + INTERVAL), ...state });
}
