import { expect } from 'vitest';
import { pool } from '@/lib/platform/db';
import { expectIntact } from './invariants';
import { type BookingReply, outcomeOf, type Partner, type Write } from './storm';
import { until } from './until';

/** `reply` is null if the connection broke before the response arrived. */
export type Sent = { write: Write; reply: BookingReply | null };

type Load = { workers: number; next: () => Write; stop: () => boolean; onResponse?: (sent: Sent) => void };

/** A loop sends one write at a time, until `stop` or its connection breaks. Returns all writes with their responses. */
export async function sendLoad(partner: Partner, { workers, next, stop, onResponse }: Load): Promise<Sent[]> {
  const all: Sent[] = [];
  const work = async () => {
    for (;;) {
      if (stop()) return;
      const write = next();
      const sent = { write, reply: await partner.attempt(write) };
      all.push(sent);
      onResponse?.(sent);
      if (!sent.reply) return;
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return all;
}

/** The outcome of every write is then final. */
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

/** For a replay, the original request. */
function madeBy(reply: BookingReply): string {
  return reply.headers['x-original-request-id'] ?? reply.requestId;
}

const RETRIES_AT_ONCE = 16;

async function sendAgain(partner: Partner, open: readonly Sent[]): Promise<BookingReply[]> {
  const replies: BookingReply[] = [];
  for (let at = 0; at < open.length; at += RETRIES_AT_ONCE) {
    const some = open.slice(at, at + RETRIES_AT_ONCE);
    replies.push(...(await Promise.all(some.map(({ write }) => partner.insist(write)))));
  }
  return replies;
}

const settled = (reply: BookingReply | null): reply is BookingReply => reply !== null && reply.status < 500;

/**
 * Retries all writes that got no response or a 5xx. Asserts what must be true after a fault:
 * - Every success that a partner received is in the database.
 * - For every change in the database, a partner received the success, or a retry with the same idempotency key replays
 *   it.
 * - No change is partial.
 * @param acknowledged the ids of requests whose success is already known. This function adds the ids that it finds.
 * @returns three numbers: successes received, changes confirmed by a replay, and changes made by a retry
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
  expect(replays.map(madeBy).sort(), 'changes that no retry replays').toEqual(unknown.sort());
  for (const reply of good) acknowledged.add(madeBy(reply));
  await expectIntact(tenantId);
  return { received: successes.length, replayed: replays.length, made: good.length - replays.length };
}

async function eventsOf(tenantId: string): Promise<Map<string, string>> {
  const { rows } = await pool().query<{ request_id: string; version: string }>(
    `SELECT request_id, booking_reference || ' ' || version AS version FROM events WHERE tenant_id = $1`,
    [tenantId],
  );
  return new Map(rows.map(({ request_id, version }) => [request_id, version]));
}
