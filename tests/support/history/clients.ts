import { setTimeout as delay } from 'node:timers/promises';
import { pool } from '@/lib/platform/db';
import { pick } from '../random';
import { type BookingReply, onlyBroken, outcomeOf, type Partner, type Write } from '../storm';
import type { Sent } from '../truth';
import type { Final, History, ReadCall, State, WriteCall } from './anomalies';

/** Milliseconds. The server must respond to every write in less time (contract B8). */
const PATIENCE = 10_000;
/** Milliseconds between two requests for the same write. */
const PAUSE = 50;
/** For one write in `settle`, which runs after all faults have ended. */
const MAX_SENDS = 100;

type Options = {
  /** One for each running server, to which alone it sends requests. */
  partners: () => readonly Partner[];
  random: () => number;
  next: () => Write;
  record: (sent: Sent) => void;
};

export type Clients = {
  history: History;
  successes: () => number;
  /**
   * Resolves when the requests have ended.
   * @throws Error if a client failed, for example because of an unexpected response
   */
  stop: () => Promise<void>;
  /** Repeats each write whose result is still unknown. */
  settle: () => Promise<void>;
};

const stateOf = ({ data }: BookingReply): State => {
  const { reference, version, status, specialist_id, starts_at, ends_at } = data.booking;
  const slot = { specialistId: specialist_id, startsAt: Date.parse(starts_at), endsAt: Date.parse(ends_at) };
  return { reference, version, status, ...slot };
};

/** @throws Error if a correct server never returns this response */
function resultOf(reply: BookingReply | null): State | 'refused' | 'unknown' {
  if (!reply || reply.status >= 500) return 'unknown';
  if (reply.status === 409 && reply.error.code !== 'idempotency_key_reused') return 'refused';
  if (reply.status >= 300) throw new Error(`unexpected response: ${outcomeOf(reply)}`);
  return stateOf(reply);
}

/** A random partner sends each request. */
function createRecorder({ partners, random, record }: Options) {
  const history: History = { writes: [], reads: [] };
  let successes = 0;
  const partner = async (): Promise<Partner> => {
    while (partners().length === 0) await delay(PAUSE);
    return pick(random, partners());
  };
  /** The response is null if none arrived. */
  const timed = async (work: (by: Partner) => Promise<BookingReply | null>) => {
    const by = await partner();
    const begun = performance.now();
    const reply = await Promise.race([work(by), delay(PATIENCE, null, { ref: false })]);
    return { reply, span: { begun, ended: performance.now() } };
  };
  return {
    history,
    successes: () => successes,
    write: async (write: Write): Promise<WriteCall['result']> => {
      const { reply, span } = await timed((by) => by.attempt(write));
      const result = resultOf(reply);
      history.writes.push({ key: write.key, ...span, result });
      record({ write, reply });
      if (typeof result !== 'string') successes += 1;
      return result;
    },
    read: async (reference: string): Promise<void> => {
      const { reply, span } = await timed((by) => by.read(reference).catch(onlyBroken));
      const result: ReadCall['result'] = reply?.status === 404 ? 'missing' : (resultOf(reply) as State | 'unknown');
      history.reads.push({ reference, ...span, result });
    },
  };
}

/**
 * Clients send writes and reads until `stop`. A write is repeated until its result is known, and some are sent twice at
 * the same time. Reads request a booking that has recently changed.
 */
export function startClients(count: number, options: Options): Clients {
  const { random, next } = options;
  const { history, successes, write, read } = createRecorder(options);
  const all = new Map<string, Write>();
  let stopped = false;
  const untilKnown = async (one: Write) => {
    while ((await write(one)) === 'unknown' && !stopped) await delay(PAUSE * (1 + random()));
  };
  const recentReference = () => {
    const recent = history.writes
      .slice(-2 * count)
      .flatMap(({ result }) => (typeof result === 'string' ? [] : [result]));
    return recent.length > 0 ? pick(random, recent).reference : null;
  };
  const client = async () => {
    while (!stopped) {
      const reference = random() < 0.3 ? recentReference() : null;
      if (reference) await read(reference);
      const one = next();
      all.set(one.key, one);
      await Promise.all(random() < 0.1 ? [untilKnown(one), untilKnown(one)] : [untilKnown(one)]);
    }
  };
  const ended = Promise.all(Array.from({ length: count }, client));
  // `stop` reports the error.
  ended.catch(() => {});
  return {
    history,
    successes,
    stop: async () => {
      stopped = true;
      await ended;
    },
    settle: async () => {
      const known = new Set(history.writes.flatMap(({ key, result }) => (typeof result === 'string' ? [] : [key])));
      const open = new Set(history.writes.flatMap(({ key, result }) => (result === 'unknown' ? [key] : [])));
      for (const key of [...open].filter((one) => !known.has(one))) {
        const one = all.get(key);
        for (let sends = 0; one && sends < MAX_SENDS; sends += 1) {
          if ((await write(one)) !== 'unknown') break;
          await delay(PAUSE);
        }
      }
    },
  };
}

export async function finalOf(tenantId: string, capacity: number): Promise<Final> {
  const milliseconds = (value: string) => `(extract(epoch FROM ${value}) * 1000)::float8`;
  const booking = (field: string) => `(payload::jsonb #>> '{data,booking,${field}}')`;
  const events = await pool().query<State>(
    `SELECT booking_reference AS reference, version, ${booking('status')} AS status,
       ${booking('specialist_id')} AS "specialistId",
       ${milliseconds(`${booking('starts_at')}::timestamptz`)} AS "startsAt",
       ${milliseconds(`${booking('ends_at')}::timestamptz`)} AS "endsAt"
     FROM events WHERE tenant_id = $1`,
    [tenantId],
  );
  const bookings = await pool().query<State>(
    `SELECT reference, version, status::text, specialist_id AS "specialistId",
       ${milliseconds('starts_at')} AS "startsAt", ${milliseconds('ends_at')} AS "endsAt"
     FROM bookings WHERE tenant_id = $1`,
    [tenantId],
  );
  return { events: events.rows, bookings: bookings.rows, capacity };
}
