import { delayAfter, MAX_ATTEMPTS, readRetryAfter } from './schedule';
import type { Outcome } from './send';

const HOUR = 3_600_000;

/** Milliseconds without a success. Then `FAILED_DAYS` days with failures disable an endpoint (contract B11). */
const QUIET_TIME = 120 * HOUR;
const FAILED_DAYS = 3;

/** The members get a mail when the first attempts of this many deliveries have failed. */
export const MAILED_FIRSTS = 5;

export type EndpointState = {
  url: string;
  state: string;
  stateReason: string | null;
  changedAt: Date;
  failing: boolean;
  /** The latest of the endpoint's creation, last success, last return to `active`, and last change of the URL. */
  quietSince: Date;
  /** UTC days since `quietSince` on which an attempt failed. */
  failedDays: number;
  /** YYYY-MM-DD. Null if `failedDays` is 0. */
  lastFailedOn: string | null;
  /** Number of deliveries whose first attempt has failed since `quietSince`, up to `MAILED_FIRSTS`. */
  failedFirsts: number;
  lastSuccessAt: Date | null;
  version: number;
};

/** `attempts` is the number of the newest attempt. */
export type DeliveryState = {
  state: string;
  attempts: number;
  scheduledAttempts: number;
  nextAttemptAt: Date | null;
  manualRequestedAt: Date | null;
  leasedUntil: Date | null;
  finishedAt: Date | null;
};

/** `delivery` is null if it has been deleted. */
export type AttemptState = { endpoint: EndpointState; delivery: DeliveryState | null };

export type EndedAttempt = {
  number: number;
  kind: 'scheduled' | 'manual';
  test: boolean;
  forged: boolean;
  /** To which the attempt was sent. */
  url: string;
  outcome: Outcome;
  /** 0 to 1, for the jitter of the next delay. */
  random: number;
};

/** Returns the state after an attempt (contract B11). The caller must hold the locks of both rows. */
export function afterAttempt(state: AttemptState, attempt: EndedAttempt, now: Date): AttemptState {
  return {
    endpoint: endpointAfter(state.endpoint, attempt, now),
    delivery: state.delivery && deliveryAfter(state.delivery, attempt, isGone(state.endpoint, attempt), now),
  };
}

/** A 410 from the endpoint's current URL disables the endpoint, except to a forged event, which must be refused. */
function isGone(endpoint: EndpointState, { url, outcome, forged }: EndedAttempt): boolean {
  return outcome.status === 410 && url === endpoint.url && !forged;
}

function endpointAfter(endpoint: EndpointState, attempt: EndedAttempt, now: Date): EndpointState {
  const { test, url, outcome } = attempt;
  // The outcome does not apply to a URL that was changed during the attempt.
  if (url !== endpoint.url) return endpoint;
  const succeeded = outcome.error === null;
  // A test event does not change the endpoint's health, except for a 410.
  const judged = test ? endpoint : succeeded ? healthy(endpoint, now) : failed(endpoint, attempt.number, now);
  if (succeeded || endpoint.state === 'disabled') return judged;
  if (isGone(endpoint, attempt)) return disabled(judged, 'gone', now);
  return !test && hasFailedTooLong(judged, now) ? disabled(judged, 'failing', now) : judged;
}

function healthy(endpoint: EndpointState, now: Date): EndpointState {
  return {
    ...endpoint,
    failing: false,
    quietSince: now,
    lastSuccessAt: now,
    failedDays: 0,
    lastFailedOn: null,
    failedFirsts: 0,
  };
}

function failed(endpoint: EndpointState, number: number, now: Date): EndpointState {
  const day = now.toISOString().slice(0, 10);
  const failedDays = endpoint.failedDays + (endpoint.lastFailedOn === day ? 0 : 1);
  const failedFirsts = Math.min(endpoint.failedFirsts + (number === 1 ? 1 : 0), MAILED_FIRSTS);
  return { ...endpoint, failing: true, failedDays, lastFailedOn: day, failedFirsts };
}

function hasFailedTooLong({ failedDays, quietSince }: EndpointState, now: Date): boolean {
  return failedDays >= FAILED_DAYS && now.getTime() - quietSince.getTime() >= QUIET_TIME;
}

function disabled(endpoint: EndpointState, stateReason: 'gone' | 'failing', now: Date): EndpointState {
  return { ...endpoint, state: 'disabled', stateReason, changedAt: now, version: endpoint.version + 1 };
}

function deliveryAfter(delivery: DeliveryState, attempt: EndedAttempt, gone: boolean, now: Date): DeliveryState {
  const newest = delivery.attempts === attempt.number;
  // An attempt that outlived its lease changes the delivery only if it succeeds.
  if (!newest && attempt.outcome.error !== null) return delivery;
  const released = newest ? { ...delivery, leasedUntil: null, manualRequestedAt: null } : delivery;
  if (delivery.state === 'succeeded') return released;
  // A delivery whose last scheduled attempt got the 410 is held. When the endpoint is active again, it gets one more
  // attempt, which is not counted.
  const counted = attempt.kind === 'scheduled' && delivery.scheduledAttempts < MAX_ATTEMPTS;
  const scheduledAttempts = delivery.scheduledAttempts + (counted ? 1 : 0);
  const result = resultOf(attempt, scheduledAttempts, now);
  const state = result.state ?? delivery.state;
  const isHeld = gone && !attempt.test && state === 'failed';
  return { ...released, scheduledAttempts, ...(isHeld ? heldFrom(now) : result) };
}

/** Due as soon as the endpoint becomes active. */
function heldFrom(now: Date): Result {
  return { state: 'pending', nextAttemptAt: now, finishedAt: null };
}

type Result = Partial<Pick<DeliveryState, 'state' | 'nextAttemptAt' | 'finishedAt'>>;

function resultOf({ kind, test, outcome, random }: EndedAttempt, scheduledAttempts: number, now: Date): Result {
  if (outcome.error === null) return { state: 'succeeded', nextAttemptAt: null, finishedAt: now };
  if (kind === 'manual') return {};
  const delay = test ? null : delayAfter(scheduledAttempts, readRetryAfter(outcome.retryAfter, now), random);
  if (delay === null) return { state: 'failed', nextAttemptAt: null, finishedAt: now };
  return { state: 'pending', nextAttemptAt: new Date(now.getTime() + delay), finishedAt: null };
}
