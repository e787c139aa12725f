import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { countAttempt } from '@/lib/activity/metrics/counters';
import { log } from '@/lib/platform/log';
import { createTurns } from '@/lib/platform/turns';
import type { Lease } from './lease';
import { withSequence } from './payload';
import { recordAttempt } from './record-attempt';
import { signersOf } from './secrets';
import { failed, type Sender, send } from './send';

/** Otherwise, hundreds of timeouts could occupy all connections to the database. */
const FAILURES = createTurns(4);

/** Tests can replace these. */
export type DeliveryDependencies = {
  sender: Sender;
  clock: () => Date;
  random: () => number;
  /** True if the process is shutting down and must not start more attempts. */
  draining: () => boolean;
};

/** Null without a valid secret, or if the current one cannot be decrypted. */
function headersOf(
  { applicationId, deliveryId, eventId, sequence, attempt, startedAt: at, secrets, forged }: Lease,
  payload: string,
) {
  try {
    const signers = signersOf(applicationId, secrets);
    return signedHeaders({ eventId, payload, sequence, at, attempt }, forged ? signers.map(otherSigner) : signers);
  } catch (error) {
    log().error({ err: error, application: applicationId, delivery: deliveryId }, 'an attempt could not be signed');
    return null;
  }
}

/** Signs with a secret that nobody knows, so the signature has the right form and is wrong. */
const otherSigner = () => new Webhook(`whsec_${randomBytes(32).toString('base64')}`);

/** Makes a leased attempt, without an open transaction. If this process is killed, the delivery gets another one. */
export async function deliver({ sender, clock, random }: DeliveryDependencies, lease: Lease): Promise<void> {
  const { url } = lease;
  const payload = withSequence(lease.payload, lease.sequence);
  const headers = headersOf(lease, payload);
  const startedAtMs = performance.now();
  const outcome = headers ? await send(sender, { url, headers, payload }) : failed('secret_unreadable');
  countAttempt(outcome.error, performance.now() - startedAtMs);
  const endedAt = clock();
  // Failures of other applications do not delay successful attempts.
  const endTurn = outcome.error === null ? () => {} : await FAILURES.take(lease.applicationId, lease.tenantId);
  try {
    await recordAttempt(endedAt, lease, outcome, random());
  } catch (error) {
    // The delivery gets another attempt after the lease has expired, even if the receiver accepted this one, so it may
    // get an event more than once.
    log().error({ err: error, delivery: lease.deliveryId }, 'the outcome of an attempt could not be recorded');
  } finally {
    endTurn();
  }
}

type Message = { eventId: string; payload: string; sequence: string | null; at: Date; attempt: number };

/**
 * Returns the headers of an attempt (Standard Webhooks 1.0, contract B11), with one signature for each valid secret,
 * that of the current one first. `webhook-id` is the event id, the same in every retry and replay.
 */
function signedHeaders(
  { eventId, payload, sequence, at, attempt }: Message,
  signers: Webhook[],
): Record<string, string> {
  const signatures = signers.map((signer) => signer.sign(eventId, at, payload));
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'partner-booking-webhooks/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
    'webhook-attempt': String(attempt),
    ...(sequence !== null && { 'webhook-sequence': sequence }),
  };
}
