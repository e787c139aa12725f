import { setTimeout as delay } from 'node:timers/promises';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { singleton } from '@/lib/platform/singleton';
import { countCopiedEntries } from '../metrics/counters';
import type { LogEntry } from './log-entry';
import { logFile } from './log-file';

const LIMITS = {
  /** Bytes of waiting lines, of 0.5 to 3 KiB each. */
  waiting: 16 * 1024 * 1024,
  /** Bytes that are written together. */
  batch: 512 * 1024,
  /** Milliseconds. */
  collect: 200,
  /** Milliseconds after a failed write. */
  pause: 1_000,
};

/** Milliseconds. */
const REPORT_EVERY = 60_000;

/** Milliseconds of a stopping process. */
const CLOSE_WITHIN = 1_000;

/** A file with one JSON object per line. */
export type LogCopy = {
  /** If too many entries wait, drops and counts this one. Never throws and never waits. */
  offer: (entry: LogEntry) => void;
  /** Includes the entries that are being written. */
  waiting: () => number;
  /** Tries once more for at most `within` milliseconds. The remaining entries are dropped and counted. */
  close: (within: number) => Promise<void>;
};

/** Creates a copy of the request log in the file at `path`. `given` replaces some of the values of `LIMITS`. */
export function createCopy(path: string, given: Partial<typeof LIMITS> = {}): LogCopy {
  const limits = { ...LIMITS, ...given };
  const file = logFile(path, 'REQUEST_LOG_FILE');
  const lines: string[] = [];
  let bytes = 0;
  let dropped = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;
  let closed = false;

  const report = (message: string, error?: unknown) => {
    if (performance.now() - reportedAt < REPORT_EVERY) return;
    reportedAt = performance.now();
    log().error({ waiting: lines.length, dropped, ...(error ? { err: error } : {}) }, message);
    dropped = 0;
  };
  const drop = (count: number) => {
    dropped += count;
    countCopiedEntries('dropped', count);
    report('entries are missing in the copy of the request log');
  };
  const writeAll = async () => {
    while (lines.length > 0) {
      const batch = firstLines(lines, limits.batch);
      await file.append(batch);
      lines.splice(0, batch.length);
      bytes -= batch.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
      countCopiedEntries('written', batch.length);
    }
  };
  const write = () => {
    writing ??= writeAll()
      .then(
        () => limits.collect,
        (error: unknown) => {
          report('the copy of the request log cannot be written, so entries are waiting', error);
          return limits.pause;
        },
      )
      .then((wait) => {
        writing = null;
        schedule(wait);
      });
    return writing;
  };
  const schedule = (wait: number) => {
    if (timer || writing || closed || lines.length === 0) return;
    timer = setTimeout(() => {
      timer = null;
      void write();
    }, wait);
  };
  return {
    offer: (entry) => {
      const line = `${JSON.stringify(entry)}\n`;
      const size = Buffer.byteLength(line);
      if (closed || bytes + size > limits.waiting) return drop(1);
      lines.push(line);
      bytes += size;
      schedule(limits.collect);
    },
    waiting: () => lines.length,
    close: async (within) => {
      closed = true;
      if (timer) clearTimeout(timer);
      const last = async () => {
        await writing;
        await write();
        await file.close();
      };
      await Promise.race([last().catch(() => undefined), delay(within, undefined, { ref: false })]);
      if (lines.length > 0) drop(lines.splice(0).length);
    },
  };
}

/** At least one line. */
function firstLines(lines: readonly string[], most: number): string[] {
  let size = 0;
  const end = lines.findIndex((line, index) => {
    size += Buffer.byteLength(line);
    return index > 0 && size > most;
  });
  return end < 0 ? lines.slice() : lines.slice(0, end);
}

function current(): LogCopy | null {
  return singleton('log-copy', () => {
    const { REQUEST_LOG_FILE } = env();
    return { copy: REQUEST_LOG_FILE ? createCopy(REQUEST_LOG_FILE) : null };
  }).copy;
}

/** Gives an entry to the copy (architecture 6), after its insert committed or failed. Never throws and never waits. */
export function copyEntry(entry: LogEntry): void {
  current()?.offer(entry);
}

/** Returns the number of entries that wait for the copy, or null if there is no copy. */
export function waitingForCopy(): number | null {
  return current()?.waiting() ?? null;
}

/** Writes the entries that wait, and closes the copy. */
export async function closeCopy(): Promise<void> {
  await current()?.close(CLOSE_WITHIN);
}
