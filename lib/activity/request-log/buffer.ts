import { log } from '@/lib/platform/log';
import { loggableMessage } from '@/lib/platform/loggable';
import { singleton } from '@/lib/platform/singleton';
import { countUnwrittenLines } from '../metrics/counters';
import type { RequestLine } from './line';
import { insertLines, touchKeys } from './store';

/** Milliseconds a line waits at most before it is written. */
const FLUSH_EVERY = 200;
/** Lines held at most; more than this means the database does not keep up. */
const MAX_LINES = 20_000;
/** Lines of one INSERT. */
const BATCH = 2_000;

type Buffer = { lines: RequestLine[]; timer: NodeJS.Timeout | null; writing: Promise<void> | null };

function buffer(): Buffer {
  return singleton('request-log', () => ({ lines: [], timer: null, writing: null }));
}

/**
 * Puts a line into the buffer; it is in the database at most 250 ms later. While the database is away, lines go to
 * standard error instead: they are never lost silently, and memory stays bounded (architecture 6).
 */
export function writeLine(line: RequestLine): void {
  const current = buffer();
  if (current.lines.length >= MAX_LINES) {
    toStandardError([line], 'the request log is full');
    return;
  }
  current.lines.push(line);
  if (!current.timer) current.timer = setTimeout(() => void flushLines(), FLUSH_EVERY);
}

/** Returns how many lines wait to be written. */
export function bufferedLines(): number {
  return buffer().lines.length;
}

/** Writes everything that is buffered; resolves when it is in the database or on standard error. */
export async function flushLines(): Promise<void> {
  const current = buffer();
  if (current.timer) clearTimeout(current.timer);
  current.timer = null;
  // One writer at a time: a slow database must not collect connections.
  while (current.writing) await current.writing;
  if (current.lines.length === 0) return;
  current.writing = write(current.lines).finally(() => {
    current.writing = null;
  });
  current.lines = [];
  await current.writing;
}

async function write(lines: RequestLine[]): Promise<void> {
  for (let start = 0; start < lines.length; start += BATCH) await writeBatch(lines.slice(start, start + BATCH));
}

async function writeBatch(batch: RequestLine[]): Promise<void> {
  try {
    await insertLines(batch);
    await touchKeys(batch);
  } catch (error) {
    // One line that the database refuses must not take the others along: halved until it stands alone.
    if (isRefusedData(error) && batch.length > 1) {
      const half = Math.ceil(batch.length / 2);
      await writeBatch(batch.slice(0, half));
      await writeBatch(batch.slice(half));
    } else {
      toStandardError(batch, reasonOf(error));
    }
  }
}

/** Data exceptions (class 22) and violated constraints (class 23) of PostgreSQL. */
function isRefusedData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code));
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return loggableMessage(error.message, 'code' in error ? error.code : undefined);
}

function toStandardError(lines: RequestLine[], why: string): void {
  countUnwrittenLines(lines.length);
  for (const line of lines) log().error({ request: line, why }, 'request log line not written');
}
