import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { ownKeyIds } from '../crypto';
import type { Db } from '../db';
import { log } from '../log';
import { currentDirectUrl } from '../postgres/current-url';
import { clientFor } from '../postgres/hosts';
import { recurringWarning } from '../recurring-warning';
import { singleton } from '../singleton';

/** The kind of data that changed: a tenant's applications and keys, or its catalog. */
export type Topic = 'policy' | 'catalog';

type Handler = (topic: Topic, id: string) => void;

type Reader = (client: pg.Client) => Promise<void>;

export const CHANNEL = 'partner_booking_cache';
/**
 * Milliseconds between two proofs. A proof is a notification that this process sends to itself, to check that
 * notifications arrive.
 */
const PROOF_INTERVAL = 500;
/** Milliseconds for which a proof (see `PROOF_INTERVAL`) is valid, counted from when it was sent. */
const PROOF_LIFETIME = 1_000;
/**
 * Milliseconds without a proof (see `PROOF_INTERVAL`) after which the connection is considered hung and is replaced.
 */
const HANG_TIMEOUT = 3_000;
const RECONNECT_DELAY = 500;
const FRESH_POLL = 10;

const unopened = recurringWarning('could not open the listening connection');

type State = {
  client: pg.Client | null;
  stopped: boolean;
  timer: NodeJS.Timeout | null;
  freshUntil: number;
  connectedAt: number;
  /**
   * Proofs (see `PROOF_INTERVAL`) that were sent but not yet received. Maps the nonce of each proof to the time at
   * which it was sent.
   */
  proofs: Map<string, number>;
  /**
   * Distinguishes this process's proofs (see `PROOF_INTERVAL`) from those of other processes. It is not the pid,
   * because processes on different machines can have the same pid.
   */
  processId: string;
  nonce: number;
  handlers: Handler[];
  resets: (() => void)[];
  readers: Reader[];
};

function state(): State {
  return singleton('cache:listener', () => ({
    client: null,
    stopped: true,
    timer: null,
    freshUntil: 0,
    connectedAt: 0,
    proofs: new Map(),
    processId: randomUUID(),
    nonce: 0,
    handlers: [],
    resets: [],
    readers: [],
  }));
}

/**
 * Returns whether cached values may be served without a query. They may if this process has received a proof (see
 * `PROOF_INTERVAL`) that was sent less than a second ago. Notifications arrive in commit order, so the process has then
 * also received every invalidation that was committed before the proof.
 */
export function isFresh(): boolean {
  return performance.now() < state().freshUntil;
}

/**
 * Returns whether the listening connection works. It works if this process has received a notification that it sent to
 * itself less than `HANG_TIMEOUT` ago. `isFresh` requires a more recent one, so on a busy machine, `isFresh` can return
 * false although the connection works.
 */
export function areNotificationsArriving(): boolean {
  const { freshUntil } = state();
  return freshUntil > 0 && performance.now() < freshUntil - PROOF_LIFETIME + HANG_TIMEOUT;
}

/**
 * Returns whether this process listens for changes or is reconnecting. A process that does not listen, such as a
 * script, does not serve cached values.
 */
export function isListening(): boolean {
  return !state().stopped;
}

/** Waits until cached values can be served without a query, or `timeout` milliseconds have passed. */
export async function untilFresh(timeout: number): Promise<void> {
  const deadline = performance.now() + timeout;
  while (!isFresh() && performance.now() < deadline) await delay(FRESH_POLL);
}

/**
 * Registers the functions that invalidate a cache.
 * @param handler called for each change, with the topic and the id of the changed record.
 * @param reset called after each reconnect. It must discard all cached values.
 */
export function onInvalidation(handler: Handler, reset: () => void): void {
  state().handlers.push(handler);
  state().resets.push(reset);
}

/**
 * Registers a function that is called every `PROOF_INTERVAL` milliseconds with the connection that runs LISTEN. The
 * function can therefore read even while all connections of the pool are busy. Errors are ignored.
 */
export function withEachProof(read: Reader): void {
  state().readers.push(read);
}

/**
 * Gives the record `id` a new version in `cache_versions`. When the transaction commits, every instance is notified.
 * Other transactions that change the record wait for the commit.
 */
export async function notifyChange(tx: Pick<Db, '$executeRaw'>, topic: Topic, id: string): Promise<void> {
  await tx.$executeRaw`
    WITH changed AS (
      INSERT INTO cache_versions (topic, id, version) VALUES (${topic}, ${id}, gen_random_uuid())
      ON CONFLICT (topic, id) DO UPDATE SET version = EXCLUDED.version)
    SELECT pg_notify(${CHANNEL}, ${`${topic} ${id}`})`;
}

/** Starts listening on a dedicated connection, and reconnects until `stopListener` is called. */
export function startListener(): void {
  const current = state();
  if (!current.stopped) return;
  current.stopped = false;
  void connect(current);
}

/** Stops listening. Cached values are no longer served. */
export async function stopListener(): Promise<void> {
  const current = state();
  current.stopped = true;
  current.freshUntil = 0;
  if (current.timer) clearTimeout(current.timer);
  await current.client?.end().catch(() => undefined);
  current.client = null;
}

/**
 * Returns the `application_name` of a process's LISTEN connection. It contains the ids of the process's encryption
 * keys, so that other processes can see which keys this process has. PostgreSQL cuts names to 63 characters, but two
 * ids fit.
 */
export function listenerName(keyIds: readonly string[]): string {
  return ['partner-booking', ...keyIds, 'listener'].join(' ');
}

/** The socket of each LISTEN connection. */
const sockets = new WeakMap<pg.Client, Socket>();

async function connect(current: State): Promise<void> {
  const Client = clientFor(currentDirectUrl);
  const socket = new Socket();
  const client = new Client({
    stream: () => socket,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: listenerName(ownKeyIds()),
  });
  sockets.set(client, socket);
  client.on('error', (error) => log().warn({ err: error }, 'lost the listening connection'));
  client.on('end', () => reconnect(current, client));
  client.on('notification', (message) => receive(current, client, message.payload ?? ''));
  current.client = client;
  try {
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
  } catch (error) {
    unopened.warn(error);
    reconnect(current, client);
    return;
  }
  unopened.over();
  if (current.client !== client) return;
  // Notifications that were sent while this process was disconnected are lost, so all cached values are discarded.
  for (const reset of current.resets) reset();
  current.connectedAt = performance.now();
  sendProof(current, client);
}

function reconnect(current: State, client: pg.Client): void {
  if (current.client !== client) return;
  current.client = null;
  current.freshUntil = 0;
  current.proofs.clear();
  if (current.timer) clearTimeout(current.timer);
  // `end()` would wait for a response, which never arrives on a half-open connection.
  sockets.get(client)?.destroy();
  if (!current.stopped) current.timer = setTimeout(() => void connect(current), RECONNECT_DELAY);
}

function sendProof(current: State, client: pg.Client): void {
  if (current.stopped || current.client !== client) return;
  const now = performance.now();
  const lastProof = Math.max(current.freshUntil - PROOF_LIFETIME, current.connectedAt);
  if (now - lastProof > HANG_TIMEOUT) {
    log().warn('replacing the listening connection, which does not respond');
    reconnect(current, client);
    return;
  }
  const nonce = `${current.processId}.${++current.nonce}`;
  current.proofs.set(nonce, now);
  prove(current, client, nonce).catch(() => undefined);
  current.timer = setTimeout(() => sendProof(current, client), PROOF_INTERVAL);
}

async function prove({ readers }: State, client: pg.Client, nonce: string): Promise<void> {
  await client.query('SELECT pg_notify($1, $2)', [CHANNEL, `proof ${nonce}`]);
  for (const read of readers) await read(client);
}

function receive(current: State, client: pg.Client, payload: string): void {
  if (current.client !== client) return;
  const [topic = '', id = ''] = payload.split(' ', 2);
  if (topic !== 'proof') {
    for (const handler of current.handlers) handler(topic as Topic, id);
    return;
  }
  const sentAt = current.proofs.get(id);
  if (sentAt === undefined) return;
  current.proofs.delete(id);
  current.freshUntil = Math.max(current.freshUntil, sentAt + PROOF_LIFETIME);
}
