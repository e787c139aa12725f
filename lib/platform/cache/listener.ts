import pg from 'pg';
import type { Db } from '../db';
import { env } from '../env';
import { log } from '../log';
import { singleton } from '../singleton';

/** What a notification says has changed: a tenant's applications and keys, or its catalog. */
export type Topic = 'policy' | 'catalog';

type Handler = (topic: Topic, id: string) => void;

const CHANNEL = 'partner_booking_cache';
/** Milliseconds between two proofs of life. */
const PROOF_EVERY = 500;
/** Milliseconds after the sending of the last proof until nothing is served from memory. */
const PROOF_LASTS = 1_000;
/** Milliseconds without a proof after which the connection counts as hung and is replaced. */
const GIVE_UP_AFTER = 3_000;
const RECONNECT_AFTER = 500;

type State = {
  client: pg.Client | null;
  stopped: boolean;
  timer: NodeJS.Timeout | null;
  freshUntil: number;
  connectedAt: number;
  /** Proofs sent and not yet seen: nonce → when it was sent. */
  proofs: Map<string, number>;
  nonce: number;
  handlers: Handler[];
  resets: (() => void)[];
};

function state(): State {
  return singleton('cache:listener', () => ({
    client: null,
    stopped: true,
    timer: null,
    freshUntil: 0,
    connectedAt: 0,
    proofs: new Map(),
    nonce: 0,
    handlers: [],
    resets: [],
  }));
}

/**
 * Tells whether what is in memory may be served: a notification of our own came back that was sent less than a
 * second ago. Notifications arrive in the order of their commits, so every invalidation before it has arrived too;
 * a listening connection that hangs half-open therefore serves stale answers for one second at most.
 */
export function isFresh(): boolean {
  return performance.now() < state().freshUntil;
}

/** Registers what to do when something changed, and when everything in memory must go. */
export function onInvalidation(handler: Handler, reset: () => void): void {
  state().handlers.push(handler);
  state().resets.push(reset);
}

/** Tells every instance, when the caller's transaction commits, to drop its copy of what `id` names. */
export async function notifyChange(tx: Pick<Db, '$executeRaw'>, topic: Topic, id: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${CHANNEL}, ${`${topic} ${id}`})`;
}

/** Starts listening on a connection of its own; reconnects for as long as the process runs. */
export function startListener(): void {
  const current = state();
  if (!current.stopped) return;
  current.stopped = false;
  void connect(current);
}

/** Stops listening. Nothing is served from memory afterwards. */
export async function stopListener(): Promise<void> {
  const current = state();
  current.stopped = true;
  current.freshUntil = 0;
  if (current.timer) clearTimeout(current.timer);
  await current.client?.end().catch(() => undefined);
  current.client = null;
}

async function connect(current: State): Promise<void> {
  const { DIRECT_DATABASE_URL, DATABASE_URL } = env();
  const client = new pg.Client({
    connectionString: DIRECT_DATABASE_URL ?? DATABASE_URL,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: 'partner-booking listener',
  });
  client.on('error', (error) => log().warn({ err: error }, 'the listening connection was lost'));
  client.on('end', () => reconnect(current, client));
  client.on('notification', (message) => receive(current, client, message.payload ?? ''));
  current.client = client;
  try {
    await client.connect();
    await client.query(`LISTEN ${CHANNEL}`);
  } catch (error) {
    log().warn({ err: error }, 'the listening connection could not be made');
    reconnect(current, client);
    return;
  }
  if (current.client !== client) return;
  // What changed while nobody listened is unknown: everything in memory goes.
  for (const reset of current.resets) reset();
  current.connectedAt = performance.now();
  prove(current, client);
}

function reconnect(current: State, client: pg.Client): void {
  if (current.client !== client) return;
  current.client = null;
  current.freshUntil = 0;
  current.proofs.clear();
  if (current.timer) clearTimeout(current.timer);
  // A half-open connection answers nothing: end() would wait for it.
  (client as unknown as { connection?: { stream?: { destroy(): void } } }).connection?.stream?.destroy();
  if (!current.stopped) current.timer = setTimeout(() => void connect(current), RECONNECT_AFTER);
}

function prove(current: State, client: pg.Client): void {
  if (current.stopped || current.client !== client) return;
  const now = performance.now();
  const lastSign = Math.max(current.freshUntil - PROOF_LASTS, current.connectedAt);
  if (now - lastSign > GIVE_UP_AFTER) {
    log().warn('the listening connection hangs; replacing it');
    reconnect(current, client);
    return;
  }
  const nonce = `${process.pid}.${++current.nonce}`;
  current.proofs.set(nonce, now);
  client.query('SELECT pg_notify($1, $2)', [CHANNEL, `proof ${nonce}`]).catch(() => undefined);
  current.timer = setTimeout(() => prove(current, client), PROOF_EVERY);
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
  current.freshUntil = Math.max(current.freshUntil, sentAt + PROOF_LASTS);
}
