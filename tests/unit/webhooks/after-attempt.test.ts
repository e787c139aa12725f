import { describe, expect, test } from 'vitest';
import {
  type AttemptState,
  afterAttempt,
  type DeliveryState,
  type EndedAttempt,
  type EndpointState,
  MAILED_FIRSTS,
} from '@/lib/webhooks/after-attempt';

const HOUR = 3_600_000;
const NOW = new Date('2026-09-14T10:00:00Z');
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR);

const ENDPOINT: EndpointState = {
  url: 'https://partner.example/hooks',
  state: 'active',
  stateReason: null,
  changedAt: hoursAgo(500),
  failing: false,
  quietSince: hoursAgo(10),
  failedDays: 0,
  lastFailedOn: null,
  failedFirsts: 0,
  lastSuccessAt: hoursAgo(10),
  version: 3,
};

const DELIVERY: DeliveryState = {
  state: 'pending',
  attempts: 1,
  scheduledAttempts: 0,
  nextAttemptAt: hoursAgo(0),
  manualRequestedAt: null,
  leasedUntil: new Date(NOW.getTime() + 20_000),
  finishedAt: null,
};

const outcome = (status: number | null, error: string | null, retryAfter?: string) => ({
  status,
  error,
  answer: null,
  retryAfter,
});
const OK = outcome(200, null);
const ERROR_500 = outcome(500, 'http_status');
const GONE = outcome(410, 'http_status');
const TIMEOUT = outcome(null, 'timeout');

const ATTEMPT: EndedAttempt = {
  number: 1,
  kind: 'scheduled',
  test: false,
  forged: false,
  url: ENDPOINT.url,
  outcome: OK,
  random: 0.5,
};

/** A failure on any day after `lastFailedOn` would disable an endpoint in this state. */
const NEARLY: Partial<EndpointState> = {
  failing: true,
  quietSince: hoursAgo(120),
  failedDays: 2,
  lastFailedOn: '2026-09-13',
  failedFirsts: MAILED_FIRSTS,
};
const HEALTHY = {
  failing: false,
  quietSince: NOW,
  lastSuccessAt: NOW,
  failedDays: 0,
  lastFailedOn: null,
  failedFirsts: 0,
};
const FIRST_FAILURE = { failing: true, failedDays: 1, lastFailedOn: '2026-09-14', failedFirsts: 1 };
const DISABLED = { state: 'disabled', changedAt: NOW, version: 4 };

type EndpointCase = [
  name: string,
  endpoint: Partial<EndpointState>,
  attempt: Partial<EndedAttempt>,
  changes: Partial<EndpointState>,
];

const ENDPOINT_CASES: EndpointCase[] = [
  ['a success', NEARLY, {}, HEALTHY],
  ['a first failure', {}, { outcome: ERROR_500 }, FIRST_FAILURE],
  ['a failure without a response', {}, { outcome: TIMEOUT }, FIRST_FAILURE],
  ['a second failure on one day', FIRST_FAILURE, { outcome: ERROR_500 }, { failedFirsts: 2 }],
  ['a failed retry', FIRST_FAILURE, { number: 2, outcome: ERROR_500 }, {}],
  [
    'the first attempt of a fifth delivery',
    { ...FIRST_FAILURE, failedFirsts: 4 },
    { outcome: ERROR_500 },
    { failedFirsts: MAILED_FIRSTS },
  ],
  ['the first attempt of a sixth delivery', { ...FIRST_FAILURE, failedFirsts: 5 }, { outcome: ERROR_500 }, {}],
  [
    'a failure on another day',
    { failedDays: 1, lastFailedOn: '2026-09-13' },
    { outcome: ERROR_500 },
    { ...FIRST_FAILURE, failedDays: 2 },
  ],
  [
    '120 hours and three days',
    NEARLY,
    { outcome: ERROR_500 },
    { failedDays: 3, lastFailedOn: '2026-09-14', ...DISABLED, stateReason: 'failing' },
  ],
  [
    '1 ms less than 120 hours',
    { ...NEARLY, quietSince: new Date(hoursAgo(120).getTime() + 1) },
    { outcome: ERROR_500 },
    { failedDays: 3, lastFailedOn: '2026-09-14' },
  ],
  [
    '120 hours and two days',
    { ...NEARLY, failedDays: 1 },
    { outcome: ERROR_500 },
    { failedDays: 2, lastFailedOn: '2026-09-14' },
  ],
  [
    '120 hours and three days, again today',
    { ...NEARLY, failedDays: 3, lastFailedOn: '2026-09-14' },
    { outcome: ERROR_500 },
    { ...DISABLED, stateReason: 'failing' },
  ],
  [
    'a paused endpoint that fails too long',
    { ...NEARLY, state: 'paused', stateReason: 'owner' },
    { outcome: ERROR_500 },
    { failedDays: 3, lastFailedOn: '2026-09-14', ...DISABLED, stateReason: 'failing' },
  ],
  ['a 410', {}, { outcome: GONE }, { ...FIRST_FAILURE, ...DISABLED, stateReason: 'gone' }],
  [
    'a 410 after failing too long',
    NEARLY,
    { outcome: GONE },
    { failedDays: 3, lastFailedOn: '2026-09-14', ...DISABLED, stateReason: 'gone' },
  ],
  ['a 410 of a disabled endpoint', { state: 'disabled', stateReason: 'failing' }, { outcome: GONE }, FIRST_FAILURE],
  ['a success of a disabled endpoint', { ...NEARLY, state: 'disabled', stateReason: 'failing' }, {}, HEALTHY],
  ['a successful test', NEARLY, { test: true }, {}],
  ['a failed test', NEARLY, { test: true, outcome: ERROR_500 }, {}],
  ['a test with a 410', {}, { test: true, outcome: GONE }, { ...DISABLED, stateReason: 'gone' }],
  ['a failure of a former URL', NEARLY, { url: 'https://old.example/', outcome: ERROR_500 }, {}],
  ['a forged test with a 410', {}, { test: true, forged: true, outcome: GONE }, {}],
  ['a 410 of a former URL', {}, { url: 'https://old.example/', outcome: GONE }, {}],
  ['a success of a former URL', NEARLY, { url: 'https://old.example/' }, {}],
  ['a manual success', NEARLY, { kind: 'manual' }, HEALTHY],
  ['a manual failure', {}, { kind: 'manual', outcome: ERROR_500 }, FIRST_FAILURE],
  ['a late failure', {}, { number: 0, outcome: ERROR_500 }, { ...FIRST_FAILURE, failedFirsts: 0 }],
];

const FREE = { leasedUntil: null, manualRequestedAt: null };
const SUCCEEDED = { state: 'succeeded', nextAttemptAt: null, finishedAt: NOW };
const after = (seconds: number) => ({ nextAttemptAt: new Date(NOW.getTime() + seconds * 1000) });
const REQUESTED = { manualRequestedAt: hoursAgo(1) };

type DeliveryCase = [
  name: string,
  delivery: Partial<DeliveryState>,
  attempt: Partial<EndedAttempt>,
  changes: Partial<DeliveryState>,
];

const DELIVERY_CASES: DeliveryCase[] = [
  ['a success', {}, {}, { ...FREE, ...SUCCEEDED, scheduledAttempts: 1 }],
  ['a first failure', {}, { outcome: ERROR_500 }, { ...FREE, ...after(5), scheduledAttempts: 1 }],
  [
    'a first failure, least jitter',
    {},
    { outcome: ERROR_500, random: 0 },
    { ...FREE, ...after(4), scheduledAttempts: 1 },
  ],
  ['a Retry-After', {}, { outcome: outcome(429, 'http_status', '7') }, { ...FREE, ...after(7), scheduledAttempts: 1 }],
  [
    'a ninth failure',
    { attempts: 9, scheduledAttempts: 8 },
    { number: 9, outcome: ERROR_500 },
    { ...FREE, ...after(86_400), scheduledAttempts: 9 },
  ],
  [
    'a tenth failure',
    { attempts: 10, scheduledAttempts: 9 },
    { number: 10, outcome: ERROR_500 },
    { ...FREE, state: 'failed', nextAttemptAt: null, finishedAt: NOW, scheduledAttempts: 10 },
  ],
  [
    'a failed test',
    {},
    { test: true, outcome: ERROR_500 },
    { ...FREE, state: 'failed', nextAttemptAt: null, finishedAt: NOW, scheduledAttempts: 1 },
  ],
  ['a 410', {}, { outcome: GONE }, { ...FREE, ...after(5), scheduledAttempts: 1 }],
  [
    'a 410 to the tenth attempt',
    { attempts: 10, scheduledAttempts: 9 },
    { number: 10, outcome: GONE },
    { ...FREE, ...after(0), scheduledAttempts: 10 },
  ],
  [
    'a failure after the endpoint was resumed after a 410 to the tenth attempt',
    { attempts: 11, scheduledAttempts: 10 },
    { number: 11, outcome: ERROR_500 },
    { ...FREE, state: 'failed', nextAttemptAt: null, finishedAt: NOW },
  ],
  [
    'a 410 of a former URL to the tenth attempt',
    { attempts: 10, scheduledAttempts: 9 },
    { number: 10, url: 'https://old.example/', outcome: GONE },
    { ...FREE, state: 'failed', nextAttemptAt: null, finishedAt: NOW, scheduledAttempts: 10 },
  ],
  [
    'a 410 to a manual attempt of a failed delivery',
    {
      ...REQUESTED,
      attempts: 11,
      scheduledAttempts: 10,
      state: 'failed',
      nextAttemptAt: null,
      finishedAt: hoursAgo(3),
    },
    { number: 11, kind: 'manual', outcome: GONE },
    { ...FREE, state: 'pending', ...after(0), finishedAt: null },
  ],
  [
    'a 410 to a manual attempt of a pending delivery',
    { ...REQUESTED, ...after(60) },
    { kind: 'manual', outcome: GONE },
    FREE,
  ],
  [
    'a 410 to a manual attempt of a succeeded delivery',
    { ...REQUESTED, state: 'succeeded', nextAttemptAt: null, finishedAt: hoursAgo(3) },
    { kind: 'manual', outcome: GONE },
    FREE,
  ],
  [
    'a test with a 410',
    {},
    { test: true, outcome: GONE },
    { ...FREE, state: 'failed', nextAttemptAt: null, finishedAt: NOW, scheduledAttempts: 1 },
  ],
  [
    'a failure of a former URL',
    {},
    { url: 'https://old.example/', outcome: ERROR_500 },
    { ...FREE, ...after(5), scheduledAttempts: 1 },
  ],
  ['a manual success of a pending delivery', REQUESTED, { kind: 'manual' }, { ...FREE, ...SUCCEEDED }],
  ['a manual failure of a pending delivery', REQUESTED, { kind: 'manual', outcome: ERROR_500 }, FREE],
  [
    'a manual success of a failed delivery',
    { ...REQUESTED, state: 'failed', nextAttemptAt: null, finishedAt: hoursAgo(3) },
    { kind: 'manual' },
    { ...FREE, ...SUCCEEDED },
  ],
  [
    'a manual failure of a failed delivery',
    { ...REQUESTED, state: 'failed', nextAttemptAt: null, finishedAt: hoursAgo(3) },
    { kind: 'manual', outcome: ERROR_500 },
    FREE,
  ],
  [
    'a manual failure of a succeeded delivery',
    { ...REQUESTED, state: 'succeeded', nextAttemptAt: null, finishedAt: hoursAgo(3) },
    { kind: 'manual', outcome: ERROR_500 },
    FREE,
  ],
  [
    'a manual success of a succeeded delivery',
    { ...REQUESTED, state: 'succeeded', nextAttemptAt: null, finishedAt: hoursAgo(3) },
    { kind: 'manual' },
    FREE,
  ],
  ['a late failure', { ...REQUESTED, attempts: 2 }, { outcome: ERROR_500 }, {}],
  ['a late success', { ...REQUESTED, attempts: 2 }, {}, { ...SUCCEEDED, scheduledAttempts: 1 }],
  [
    'a late success of a succeeded delivery',
    { attempts: 2, state: 'succeeded', nextAttemptAt: null, finishedAt: hoursAgo(1) },
    {},
    {},
  ],
];

const stateOf = (endpoint: Partial<EndpointState>, delivery: Partial<DeliveryState>): AttemptState => ({
  endpoint: { ...ENDPOINT, ...endpoint },
  delivery: { ...DELIVERY, ...delivery },
});

describe('after an attempt, the endpoint', () => {
  test.each(ENDPOINT_CASES)('%s', (_, endpoint, attempt, changes) => {
    const state = stateOf(endpoint, {});
    expect(afterAttempt(state, { ...ATTEMPT, ...attempt }, NOW).endpoint).toEqual({ ...state.endpoint, ...changes });
  });
});

describe('after an attempt, the delivery', () => {
  test.each(DELIVERY_CASES)('%s', (_, delivery, attempt, changes) => {
    const state = stateOf({}, delivery);
    expect(afterAttempt(state, { ...ATTEMPT, ...attempt }, NOW).delivery).toEqual({ ...state.delivery, ...changes });
  });
});
