import { expect } from 'vitest';
import { pool } from '@/lib/platform/db';
import { expectIntact } from './invariants';
import { type BookingReply, outcomeOf, type Partner, type Write } from './storm';
import { until } from './until';

/** A write that was sent, and what came of it; null when the connection broke. */
export type Sent = { write: Write; reply: BookingReply | null };

type Load = { workers: number; next: () => Write; stop: () => boolean; heard?: (sent: Sent) => void };

/** Keeps so many writes under way at once until `stop` says so or a connection breaks; returns what became of each. */
export async function sendLoad(partner: Partner, { workers, next, stop, heard }: Load): Promise<Sent[]> {
  const all: Sent[] = [];
  const work = async () => {
    for (;;) {
      if (stop()) return;
      const write = next();
      const sent = { write, reply: await partner.attempt(write) };
      all.push(sent);
      heard?.(sent);
      if (!sent.reply) return;
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return all;
}

/** Waits until no statement of a server is under way in the database of this test: what it left is decided then. */
export async function untilQuiet(): Promise<void> {
  const count = async () => {
    const { rows } = await pool().query<{ busy: number }>(
      `SELECT count(*)::int AS busy FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
    );
    return rows[0]?.busy ?? 0;
  };
  await until(count, (busy) => busy === 0);
}

/** Returns the request that made what the answer tells: this one, or the one that it replays. */
export function madeBy(reply: BookingReply): string {
  return reply.headers['x-original-request-id'] ?? reply.requestId;
}

/** Requests that are sent again at once: a partner that comes back does not come with everything. */
const AGAIN_AT_ONCE = 16;

async function sendAgain(partner: Partner, open: readonly Sent[]): Promise<BookingReply[]> {
  const replies: BookingReply[] = [];
  for (let at = 0; at < open.length; at += AGAIN_AT_ONCE) {
    const some = open.slice(at, at + AGAIN_AT_ONCE);
    replies.push(...(await Promise.all(some.map(({ write }) => partner.insist(write)))));
  }
  return replies;
}

const settled = (reply: BookingReply | null): reply is BookingReply => reply !== null && reply.status < 500;

/**
 * Asserts what a partner may rely on after a fault: every success that was received is in the database; every change
 * in the database was either acknowledged, or is what the same request with the same key now replays; nothing is half
 * made. Requests without an answer, or with a 503, are sent again.
 * @param acknowledged ids of requests whose success is known already; those of this round are added.
 * @returns how many changes were found by replay, and how many requests only succeeded now.
 */
export async function expectTruth(
  tenantId: string,
  partner: Partner,
  sent: readonly Sent[],
  acknowledged: Set<string>,
): Promise<{ received: number; replayed: number; made: number }> {
  await untilQuiet();
  const successes = sent.flatMap(({ reply }) => (reply && reply.status < 300 ? [reply] : []));
  const written = await eventsOf(tenantId);
  for (const reply of successes) {
    const { reference, version } = reply.data.booking;
    expect(written.get(madeBy(reply)), `${outcomeOf(reply)} ${reply.requestId}`).toBe(`${reference} ${version}`);
    acknowledged.add(madeBy(reply));
  }
  const unknown = [...written.keys()].filter((requestId) => !acknowledged.has(requestId));
  const again = await sendAgain(
    partner,
    sent.filter(({ reply }) => !settled(reply)),
  );
  for (const reply of again) expect(outcomeOf(reply)).toMatch(/^(2|409)/);
  const good = again.filter((reply) => reply.status < 300);
  const replays = good.filter((reply) => reply.headers['idempotent-replayed'] === 'true');
  expect(replays.map(madeBy).sort(), 'a change that nobody knows of').toEqual(unknown.sort());
  for (const reply of good) acknowledged.add(madeBy(reply));
  await expectIntact(tenantId);
  return { received: successes.length, replayed: replays.length, made: good.length - replays.length };
}

async function eventsOf(tenantId: string): Promise<Map<string, string>> {
  const { rows } = await pool().query<{ request_id: string; what: string }>(
    `SELECT request_id, booking_reference || ' ' || version AS what FROM events WHERE tenant_id = $1`,
    [tenantId],
  );
  return new Map(rows.map(({ request_id, what }) => [request_id, what]));
}
