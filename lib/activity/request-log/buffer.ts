import { log } from '@/lib/platform/log';
import { loggableMessage } from '@/lib/platform/loggable';
import { singleton } from '@/lib/platform/singleton';
import { countUnwrittenEntries } from '../metrics/counters';
import { copyEntry } from './copy';
import type { LogEntry } from './log-entry';
import { insertLogEntries, touchKeys } from './store';

/** Milliseconds. */
const FLUSH_EVERY = 200;
/** Reached only if the database cannot keep up. */
const MAX_ENTRIES = 20_000;
const BATCH = 2_000;

type Buffer = { entries: LogEntry[]; timer: NodeJS.Timeout | null; writing: Promise<void> | null };

function buffer(): Buffer {
  return singleton('request-log', () => ({ entries: [], timer: null, writing: null }));
}

/**
 * Adds an entry, which is normally in the database within 250 ms. If the buffer is full or the insert fails, it is
 * written to standard error (architecture 6). Then the copy gets it.
 */
export function writeLogEntry(entry: LogEntry): void {
  const current = buffer();
  if (current.entries.length >= MAX_ENTRIES) {
    toStandardError([entry], 'the buffer of the request log is full');
    copyEntry(entry);
    return;
  }
  current.entries.push(entry);
  if (!current.timer) current.timer = setTimeout(() => void flushLog(), FLUSH_EVERY);
}

/** Returns the number of entries in the buffer. */
export function bufferedEntries(): number {
  return buffer().entries.length;
}

/** Resolves after each buffered entry is in the database or was written to standard error. */
export async function flushLog(): Promise<void> {
  const current = buffer();
  if (current.timer) clearTimeout(current.timer);
  current.timer = null;
  // With a slow database, concurrent writes would occupy all connections of the pool.
  while (current.writing) await current.writing;
  if (current.entries.length === 0) return;
  current.writing = write(current.entries).finally(() => {
    current.writing = null;
  });
  current.entries = [];
  await current.writing;
}

async function write(entries: LogEntry[]): Promise<void> {
  for (let start = 0; start < entries.length; start += BATCH) await writeBatch(entries.slice(start, start + BATCH));
}

async function writeBatch(batch: LogEntry[]): Promise<void> {
  let settled = batch;
  try {
    settled = await insertLogEntries(batch);
    await touchKeys(batch);
  } catch (error) {
    // One invalid entry makes PostgreSQL reject the whole batch, which is split until the entry is alone.
    if (isRejectedData(error) && batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      await writeBatch(batch.slice(0, half));
      await writeBatch(batch.slice(half));
      return;
    }
    toStandardError(batch, reasonOf(error));
  }
  settled.forEach(copyEntry);
}

/** A data exception (SQLSTATE 22) or a constraint violation (23). */
function isRejectedData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code));
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return loggableMessage(error.message, 'code' in error ? error.code : undefined);
}

function toStandardError(entries: LogEntry[], why: string): void {
  countUnwrittenEntries(entries.length);
  for (const entry of entries) log().error({ request: entry, why }, 'request log entry not written');
}
