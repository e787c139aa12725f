import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { type Connections, type Db, pool } from './db';
import { log } from './log';
import { currentDirectUrl } from './postgres/current-url';
import { clientFor } from './postgres/hosts';
import { recurringWarning } from './recurring-warning';
import { ownKeyIds } from './secrets';
import { singleton } from './singleton';
import { param, statement } from './sql';
import { outsideScopes } from './tenant-scope';

/** `policy` is a tenant's applications and keys. */
export type Topic = 'policy' | 'catalog';

type Handler = { changed: (topic: Topic, id: string) => void; reset: () => void };

type Reader = (client: pg.Client) => Promise<void>;

const INTERVAL_MS = 500;
/** Milliseconds for which cached values may be served, counted from when a poll was sent. */
const LIFETIME = 1_000;
/** Milliseconds after which an unanswered poll fails, and its connection is replaced. */
const HANG_TIMEOUT = 3_000;
const RECONNECT_DELAY = 500;
const FRESH_POLL = 10;

/** `$1` is the `horizon` of the previous poll: transactions that its snapshot lacked have this id or a higher one. */
const READ = `
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS horizon,
    (SELECT coalesce(jsonb_agg(jsonb_build_array(topic, id, version)), '[]') FROM cache_versions
     WHERE changed_in >= $1::xid8) AS changes`;

type Row = { horizon: string; changes: [Topic, string, string][] };

const unopened = recurringWarning('could not open the connection that polls for changes');

type State = {
  stop: AbortController | null;
  ended: Promise<void>;
  freshUntil: number;
  polledAt: number | null;
  /** If null, the next poll discards all cached values. */
  horizon: bigint | null;
  /** The next poll can return the records of the latest one again. */
  seen: Map<string, string>;
  refreshing: Promise<void> | null;
  /** Starts after `refreshing` has ended. */
  nextRefresh: Promise<void> | null;
  handlers: Handler[];
  readers: Reader[];
};

function state(): State {
  return singleton('cache:changes', () => ({
    stop: null,
    ended: Promise.resolve(),
    freshUntil: 0,
    polledAt: null,
    horizon: null,
    seen: new Map(),
    refreshing: null,
    nextRefresh: null,
    handlers: [],
    readers: [],
  }));
}

/** Returns whether cached values may be served. */
export function isFresh(): boolean {
  return performance.now() < state().freshUntil;
}

/** Returns whether the polls are answered. On a busy machine, this can be true although `isFresh` is false. */
export function arePollsAnswered(): boolean {
  const { polledAt } = state();
  return polledAt !== null && performance.now() < polledAt + HANG_TIMEOUT;
}

/** Returns whether this process polls. One that does not, such as a script, serves no cached values. */
function isPolling(): boolean {
  return state().stop !== null;
}

/** Waits until cached values can be served without a query, at most `timeout` milliseconds. */
export async function untilFresh(timeout: number): Promise<void> {
  const deadline = performance.now() + timeout;
  while (!isFresh() && performance.now() < deadline) await delay(FRESH_POLL);
}

/** Registers a cache. `reset` is called when all cached values must be discarded. */
export function onChange(handler: Handler): void {
  state().handlers.push(handler);
}

/** Calls `read` after each poll, on its connection, even while the whole pool is busy. Errors are ignored. */
export function withEachPoll(read: Reader): void {
  state().readers.push(read);
}

/** Like `markChanged`, in a write's transaction. */
export const MARK_CHANGED = statement<never>('cache-mark-changed')`
  INSERT INTO cache_versions (topic, id, version)
  VALUES (${param.text('topic')}, ${param.text('id')}, gen_random_uuid())
  ON CONFLICT (topic, id) DO UPDATE SET version = EXCLUDED.version`;

/** Gives a record a new version. Others that change it wait. Processes see the change within a second of the commit. */
export async function markChanged(tx: Pick<Db, '$executeRaw'>, topic: Topic, id: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO cache_versions (topic, id, version) VALUES (${topic}, ${id}, gen_random_uuid())
    ON CONFLICT (topic, id) DO UPDATE SET version = EXCLUDED.version`;
}

/** Polls at once. Afterward, this process serves no value that a commit before the call has changed. */
export async function pollNow(): Promise<void> {
  if (isPolling()) await outsideScopes(() => poll(pool()));
}

/** Like `pollNow`, but shares a poll that another caller has already sent. */
function refresh(): Promise<void> {
  const current = state();
  current.refreshing ??= pollNow().finally(() => {
    current.refreshing = null;
  });
  return current.refreshing;
}

/**
 * Like `pollNow`, but shares a poll with other callers. Never shares one that was sent before this call, because a commit
 * can be newer than it.
 */
export function refreshFromNow(): Promise<void> {
  const current = state();
  const running = current.refreshing?.catch(() => undefined) ?? Promise.resolve();
  current.nextRefresh ??= running.then(() => {
    current.nextRefresh = null;
    return refresh();
  });
  return current.nextRefresh;
}

/** Starts polling on a dedicated connection, and reconnects until `stopPolling` is called. */
export function startPolling(): void {
  const current = state();
  if (current.stop) return;
  current.stop = new AbortController();
  current.ended = pollUntil(current.stop.signal);
}

/** Stops polling. Cached values are no longer served. */
export async function stopPolling(): Promise<void> {
  const current = state();
  current.stop?.abort();
  current.stop = null;
  await current.ended;
}

/** Returns the `application_name` of the connection that polls, with the ids of this process's keys (63 characters). */
export function pollerName(keyIds: readonly string[]): string {
  return ['partner-booking', ...keyIds, 'listener'].join(' ');
}

async function pollUntil(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const socket = new Socket();
    const Client = clientFor(currentDirectUrl);
    const client = new Client({
      connectionTimeoutMillis: 5_000,
      query_timeout: HANG_TIMEOUT,
      keepAlive: true,
      application_name: pollerName(ownKeyIds()),
      stream: () => socket,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      unopened.warn(error);
      socket.destroy();
      await pause(RECONNECT_DELAY, signal);
      continue;
    }
    unopened.over();
    try {
      await pollOn(client, signal);
      await client.end();
    } catch (error) {
      log().warn({ err: error }, 'lost the connection that polls for changes');
    }
    // `end` would wait for a response, which never arrives on a half-open connection.
    socket.destroy();
    // The next connection can lead to another server, whose transactions have other ids.
    Object.assign(state(), { horizon: null, freshUntil: 0, polledAt: null });
    await pause(RECONNECT_DELAY, signal);
  }
}

async function pollOn(client: pg.Client, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const sentAt = performance.now();
    await poll(client);
    state().polledAt = sentAt;
    for (const read of state().readers) await read(client).catch(() => undefined);
    await pause(INTERVAL_MS, signal);
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

async function poll(on: Pick<Connections, 'query'>): Promise<void> {
  const current = state();
  const sentAt = performance.now();
  const { horizon: since, stop } = current;
  const { rows } = await on.query<Row>(READ, [since?.toString() ?? null]);
  const [row] = rows;
  if (!row || !stop || current.stop !== stop) return;
  const horizon = BigInt(row.horizon);
  if (current.horizon === null || since === null) {
    for (const { reset } of current.handlers) reset();
    current.seen.clear();
  } else apply(current, row.changes);
  current.horizon = horizon;
  current.freshUntil = Math.max(current.freshUntil, sentAt + LIFETIME);
}

function apply(current: State, changes: Row['changes']): void {
  const { seen, handlers } = current;
  current.seen = new Map();
  for (const [topic, id, version] of changes) {
    const record = `${topic} ${id}`;
    current.seen.set(record, version);
    if (seen.get(record) !== version) for (const { changed } of handlers) changed(topic, id);
  }
}

type Options<V> = {
  topic: Topic;
  max: number;
  /** Null is not cached. */
  load: (key: string) => Promise<V | null>;
  /** A change to this record invalidates the cached value. */
  recordOf: (value: V) => string;
};

export type Cache<V> = {
  /** Null if there is no value. A value may be outdated, by less than a second. */
  get: (key: string) => Promise<V | null>;
};

/**
 * Returns a cache that removes an entry when its record changes (architecture 6). A read polls first if the latest poll
 * is too old. A value is not cached if a change was polled while it was loaded.
 */
export function createCache<V extends object>({ topic, max, load, recordOf }: Options<V>): Cache<V> {
  const entries = new LRUCache<string, V>({ max });
  let loading = new Map<string, Promise<V | null>>();
  let epoch = 0;

  const discardLoads = () => {
    epoch += 1;
    loading = new Map();
  };
  onChange({
    changed: (changed, id) => {
      if (changed !== topic) return;
      discardLoads();
      for (const [key, value] of entries.entries()) if (recordOf(value) === id) entries.delete(key);
    },
    reset: () => {
      discardLoads();
      entries.clear();
    },
  });

  const loadAlone = (key: string) => outsideScopes(() => load(key));

  const fill = async (key: string): Promise<V | null> => {
    const startEpoch = epoch;
    const value = await loadAlone(key);
    if (value && startEpoch === epoch) entries.set(key, value);
    return value;
  };

  const loadShared = (key: string): Promise<V | null> => {
    // A change can assign a new map to `loading` before this load ends. The load must be deleted from the map to which it
    // was added.
    const current = loading;
    const pending = current.get(key) ?? fill(key).finally(() => current.delete(key));
    current.set(key, pending);
    return pending;
  };

  const get = async (key: string): Promise<V | null> => {
    if (!isPolling()) return loadAlone(key);
    if (!isFresh()) await refresh();
    // The poll itself can take longer than its result may be trusted.
    if (!isFresh()) return loadAlone(key);
    return entries.get(key) ?? loadShared(key);
  };
  return { get };
}
