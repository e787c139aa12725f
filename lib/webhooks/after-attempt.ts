import { delayAfter, MAX_ATTEMPTS, readRetryAfter } from './schedule';
import type { Outcome } from './send';

const HOUR = 3_600_000;

/**
 * An endpoint is disabled after this many milliseconds without a success, if attempts failed on at least
 * `FAILED_DAYS` days during this time (contract B11).
 */
const QUIET_TIME = 120 * HOUR;
const FAILED_DAYS = 3;

/** The columns of an endpoint that `afterAttempt` reads or changes. */
export type EndpointState = {
  url: string;
  state: string;
  stateReason: string | null;
  changedAt: Date;
  failing: boolean;
  /**
   * The latest of these times: the creation of the endpoint, its last success, its last return to the state `active`,
   * and the last change of its URL.
   */
  quietSince: Date;
  /** Number of UTC days since `quietSince` on which an attempt failed. */
  failedDays: number;
  /** The last day on which an attempt failed, as YYYY-MM-DD. Null if `failedDays` is 0. */
  lastFailedOn: string | null;
  lastSuccessAt: Date | null;
  version: number;
};

/** The columns of a delivery that `afterAttempt` reads or changes. `attempts` is the number of the newest attempt. */
export type DeliveryState = {
  state: string;
  attempts: number;
  scheduledAttempts: number;
  nextAttemptAt: Date | null;
  manualRequestedAt: Date | null;
  leasedUntil: Date | null;
  finishedAt: Date | null;
};

/** The endpoint and the delivery of an attempt. `delivery` is null if the delivery has been deleted. */
export type AttemptState = { endpoint: EndpointState; delivery: DeliveryState | null };

export type EndedAttempt = {
  number: number;
  kind: 'scheduled' | 'manual';
  test: boolean;
  /** The URL to which the attempt was sent. */
  url: string;
  outcome: Outcome;
  /** A random number from 0 to 1, for the jitter of the next delay. */
  random: number;
};

/**
 * Returns the state of a delivery and its endpoint after an attempt (contract B11). The caller must hold the locks
 * of both rows, and must write the returned state.
 */
export function afterAttempt(state: AttemptState, attempt: EndedAttempt, now: Date): AttemptState {
  return {
    endpoint: endpointAfter(state.endpoint, attempt, now),
    delivery: state.delivery && deliveryAfter(state.delivery, attempt, isGone(state.endpoint, attempt), now),
  };
}

/** Returns whether the attempt got a 410 from the endpoint's current URL. Such a response disables the endpoint. */
function isGone(endpoint: EndpointState, { url, outcome }: EndedAttempt): boolean {
  return outcome.status === 410 && url === endpoint.url;
}

function endpointAfter(endpoint: EndpointState, attempt: EndedAttempt, now: Date): EndpointState {
  const { test, url, outcome } = attempt;
  // If the URL was changed during the attempt, the attempt's outcome does not apply to the new URL.
  if (url !== endpoint.url) return endpoint;
  const succeeded = outcome.error === null;
  // The attempt of a test event does not change the endpoint's health. However, a 410 still disables the endpoint.
  const judged = test ? endpoint : succeeded ? healthy(endpoint, now) : failed(endpoint, now);
  if (succeeded || endpoint.state === 'disabled') return judged;
  if (isGone(endpoint, attempt)) return disabled(judged, 'gone', now);
  return !test && hasFailedTooLong(judged, now) ? disabled(judged, 'failing', now) : judged;
}

function healthy(endpoint: EndpointState, now: Date): EndpointState {
  return { ...endpoint, failing: false, quietSince: now, lastSuccessAt: now, failedDays: 0, lastFailedOn: null };
}

function failed(endpoint: EndpointState, now: Date): EndpointState {
  const day = now.toISOString().slice(0, 10);
  const failedDays = endpoint.failedDays + (endpoint.lastFailedOn === day ? 0 : 1);
  return { ...endpoint, failing: true, failedDays, lastFailedOn: day };
}

function hasFailedTooLong({ failedDays, quietSince }: EndpointState, now: Date): boolean {
  return failedDays >= FAILED_DAYS && now.getTime() - quietSince.getTime() >= QUIET_TIME;
}

function disabled(endpoint: EndpointState, stateReason: 'gone' | 'failing', now: Date): EndpointState {
  return { ...endpoint, state: 'disabled', stateReason, changedAt: now, version: endpoint.version + 1 };
}

function deliveryAfter(delivery: DeliveryState, attempt: EndedAttempt, gone: boolean, now: Date): DeliveryState {
  const newest = delivery.attempts === attempt.number;
  // If this attempt outlives its lease, a newer attempt can begin. This attempt then changes the delivery only if it
  // succeeds.
  if (!newest && attempt.outcome.error !== null) return delivery;
  const released = newest ? { ...delivery, leasedUntil: null, manualRequestedAt: null } : delivery;
  // A delivery that has succeeded keeps its state when it is replayed.
  if (delivery.state === 'succeeded') return released;
  // A 410 disables the endpoint. A delivery whose last scheduled attempt got the 410 does not fail: it is held. When
  // the endpoint is active again, the delivery gets one more attempt, which is not counted.
  const counted = attempt.kind === 'scheduled' && delivery.scheduledAttempts < MAX_ATTEMPTS;
  const scheduledAttempts = delivery.scheduledAttempts + (counted ? 1 : 0);
  const result = resultOf(attempt, scheduledAttempts, now);
  const state = result.state ?? delivery.state;
  const isHeld = gone && !attempt.test && state === 'failed';
  return { ...released, scheduledAttempts, ...(isHeld ? heldFrom(now) : result) };
}

/**
 * Returns the state of a delivery that is held until its endpoint is active. The delivery is due as soon as the
 * endpoint becomes active.
 */
function heldFrom(now: Date): Result {
  return { state: 'pending', nextAttemptAt: now, finishedAt: null };
}

type Result = Partial<Pick<DeliveryState, 'state' | 'nextAttemptAt' | 'finishedAt'>>;

function resultOf({ kind, test, outcome, random }: EndedAttempt, scheduledAttempts: number, now: Date): Result {
  if (outcome.error === null) return { state: 'succeeded', nextAttemptAt: null, finishedAt: now };
  // A failed manual attempt does not change the schedule of the other attempts.
  if (kind === 'manual') return {};
  const delay = test ? null : delayAfter(scheduledAttempts, readRetryAfter(outcome.retryAfter, now), random);
  if (delay === null) return { state: 'failed', nextAttemptAt: null, finishedAt: now };
  return { state: 'pending', nextAttemptAt: new Date(now.getTime() + delay), finishedAt: null };
}
