import { setTimeout as delay } from 'node:timers/promises';
import { log } from '@/lib/platform/log';
import { countSinkEntries } from '../metrics/counters';
import type { LogEntry } from './log-entry';

/** A destination outside of the database that gets a copy of each log entry. */
export type Sink = {
  name: 'file' | 'otlp';
  /** Returns an entry in the format of the sink. */
  encode: (entry: LogEntry) => string;
  /**
   * Sends encoded entries. Returns how many of them the destination rejected permanently.
   * @throws Error if the batch must be sent again. The error's property `retryAfter`, if set, is the number of
   *   milliseconds to wait first.
   */
  send: (batch: readonly string[], closing: AbortSignal) => Promise<number>;
  close: () => Promise<void>;
};

/** A sink with the entries that wait for it. */
export type Queue = {
  readonly name: Sink['name'];
  /** Adds an entry. If the queue is full, the entry is dropped and counted. Never throws and never waits. */
  offer: (entry: LogEntry) => void;
  /** Returns the number of entries that wait, including those that are being sent. */
  queued: () => number;
  /**
   * Sends the waiting entries, and then closes the sink. Stops sending after `within` milliseconds. The remaining
   * entries are dropped and counted.
   */
  close: (within: number) => Promise<void>;
};

const LIMITS = {
  /** Maximum size of the queue in bytes of encoded entries. An entry takes 0.5 to 3 KiB. */
  queue: 16 * 1024 * 1024,
  /** Maximum size of a batch in bytes. */
  batch: 512 * 1024,
  /** Maximum number of entries in a batch. */
  entries: 2_000,
  /** Milliseconds for which entries are collected before a batch is sent. */
  collect: 200,
  /** Milliseconds before a failed batch is sent again. This pause doubles after each failure, up to `longestPause`. */
  pause: 1_000,
  longestPause: 30_000,
};

/** Milliseconds between two log lines about the problems of a sink. */
const REPORT_EVERY = 60_000;

type State = {
  sink: Sink;
  limits: typeof LIMITS;
  waiting: { text: string; bytes: number }[];
  bytes: number;
  sending: Promise<void> | null;
  timer: NodeJS.Timeout | null;
  /**
   * Aborted when `close` begins. This ends a pause before the next try. If a try that begins after the abort fails, it
   * is the last one.
   */
  stopping: AbortController;
  /** Aborted when the time limit of `close` has passed or the last try has failed. Nothing is sent after that. */
  closing: AbortController;
  pause: number;
  /** The number of entries dropped since the last log line about a problem of the sink. */
  dropped: number;
  /** The value of `performance.now()` when the last log line about a problem of the sink was written. */
  reportedAt: number;
};

/** Creates a queue for a sink. `limits` replaces some of the values of `LIMITS`. */
export function createQueue(sink: Sink, limits: Partial<typeof LIMITS> = {}): Queue {
  const state: State = {
    sink,
    limits: { ...LIMITS, ...limits },
    waiting: [],
    bytes: 0,
    sending: null,
    timer: null,
    stopping: new AbortController(),
    closing: new AbortController(),
    pause: 0,
    dropped: 0,
    reportedAt: Number.NEGATIVE_INFINITY,
  };
  return {
    name: sink.name,
    offer: (entry) => offer(state, entry),
    queued: () => state.waiting.length,
    close: (within) => close(state, within),
  };
}

function offer(state: State, entry: LogEntry): void {
  const text = state.sink.encode(entry);
  const bytes = Buffer.byteLength(text);
  if (state.closing.signal.aborted || state.bytes + bytes > state.limits.queue) {
    drop(state, 1);
    report(state, 'entries for the log sink are dropped');
    return;
  }
  state.waiting.push({ text, bytes });
  state.bytes += bytes;
  schedule(state);
}

function schedule(state: State): void {
  if (state.sending || state.timer || state.waiting.length === 0 || state.closing.signal.aborted) return;
  state.timer = setTimeout(() => void sendAll(state), state.limits.collect);
}

/** Sends batches, one at a time and in order, until the queue is empty or `closing` is aborted. */
function sendAll(state: State): Promise<void> {
  if (state.timer) clearTimeout(state.timer);
  state.timer = null;
  state.sending ??= (async () => {
    while (state.waiting.length > 0 && !state.closing.signal.aborted) await sendBatch(state);
  })().finally(() => {
    state.sending = null;
    schedule(state);
  });
  return state.sending;
}

async function sendBatch(state: State): Promise<void> {
  const { sink, limits, stopping, closing } = state;
  const isLastTry = stopping.signal.aborted;
  const batch = nextBatch(state);
  try {
    const texts = batch.map(({ text }) => text);
    const rejected = Math.min(batch.length, await sink.send(texts, closing.signal));
    state.waiting.splice(0, batch.length);
    state.bytes -= batch.reduce((sum, { bytes }) => sum + bytes, 0);
    countSinkEntries(sink.name, 'written', batch.length - rejected);
    if (rejected > 0) drop(state, rejected);
    if (rejected > 0) report(state, 'the log sink rejected entries');
    state.pause = 0;
  } catch (error) {
    state.pause = Math.min(Math.max(2 * state.pause, limits.pause), limits.longestPause);
    report(state, 'the log sink failed, so entries are waiting for the next try', error);
    if (isLastTry) closing.abort();
    else await pauseFor(retryAfterOf(error) ?? state.pause, stopping.signal);
  }
}

function nextBatch({ waiting, limits }: State): State['waiting'] {
  let length = 0;
  let bytes = 0;
  for (const entry of waiting) {
    if (length === limits.entries || (length > 0 && bytes + entry.bytes > limits.batch)) break;
    length += 1;
    bytes += entry.bytes;
  }
  return waiting.slice(0, length);
}

async function close(state: State, within: number): Promise<void> {
  const { sink, stopping, closing } = state;
  const late = setTimeout(() => closing.abort(), within);
  stopping.abort();
  await Promise.race([sendAll(state), aborted(closing.signal)]);
  clearTimeout(late);
  closing.abort();
  if (state.waiting.length > 0) {
    drop(state, state.waiting.length);
    state.reportedAt = Number.NEGATIVE_INFINITY;
    report(state, 'entries for the log sink are dropped');
  }
  state.waiting = [];
  state.bytes = 0;
  await Promise.race([sink.close(), pauseFor(within)]);
}

function drop(state: State, entries: number): void {
  state.dropped += entries;
  countSinkEntries(state.sink.name, 'dropped', entries);
}

/** Logs a problem, at most once per `REPORT_EVERY`. */
function report(state: State, message: string, error?: unknown): void {
  if (performance.now() - state.reportedAt < REPORT_EVERY) return;
  state.reportedAt = performance.now();
  const { sink, dropped, waiting } = state;
  log().error({ sink: sink.name, waiting: waiting.length, dropped, ...(error ? { err: error } : {}) }, message);
  state.dropped = 0;
}

function retryAfterOf(error: unknown): number | null {
  return error instanceof Error && 'retryAfter' in error ? Number(error.retryAfter) || null : null;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function pauseFor(milliseconds: number, signal?: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}
