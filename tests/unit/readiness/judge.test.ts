import { expect, test } from 'vitest';
import { evidenceOf, judge, type Seen, type SignatureCheck } from '@/lib/booking/readiness/judge';
import { CRITERIA, type Criterion } from '@/lib/contract/readiness';

const START = Date.UTC(2026, 8, 1, 8);

type Given = Partial<Omit<Seen, 'id' | 'at'>> & { after?: number };

/** `after`: milliseconds since the previous request, by default 2,000. The id of a request is its index. */
function requestsOf(given: readonly Given[]): Seen[] {
  let at = START;
  return given.map(({ after = 2_000, ...one }, index) => {
    at += after;
    const blank = { code: null, reason: null, key: null, replayed: false, reference: null };
    return {
      ...blank,
      id: String(index),
      at: new Date(at),
      method: 'GET',
      route: '/availability',
      status: 200,
      ...one,
    };
  });
}

const write = (more: Given = {}): Given => ({ method: 'POST', route: '/bookings', status: 201, key: 'a', ...more });
const refused = (more: Given = {}): Given => write({ status: 409, code: 'booking_unavailable', ...more });
const limited = (more: Given = {}): Given => ({ status: 429, code: 'rate_limited', ...more });
const CLOCK: Given = { method: 'POST', route: '/test/clock', status: 200, key: 'c' };
const LOST = 'test:lost_response:order-1';

/** What was asked, the requests, the state, and the request that is the evidence. */
const CASES: [Criterion, string, Given[], string, number | null][] = [
  ['lost_write', 'only first writes', [write(), write({ key: 'b' })], 'not_yet', null],
  ['lost_write', 'a replay', [write(), write({ replayed: true }), {}], 'met', 1],
  ['lost_write', 'a replay in the sandbox', [{ ...CLOCK, replayed: true }], 'not_yet', null],
  [
    'lost_write',
    'a lost booking made twice',
    [write({ reference: LOST }), write({ reference: LOST, key: 'b' })],
    'failed',
    1,
  ],
  [
    'lost_write',
    'a lost booking made thrice, at last with the first key',
    [write({ reference: LOST }), write({ reference: LOST, key: 'b' }), write({ reference: LOST })],
    'failed',
    2,
  ],
  [
    'lost_write',
    'two lost bookings, and one made again with its key',
    [write({ reference: LOST }), write({ reference: `${LOST}2`, key: 'b' }), write({ reference: LOST })],
    'not_yet',
    null,
  ],
  [
    'lost_write',
    'a lost booking made twice, and later a replay',
    [write({ reference: LOST }), write({ reference: LOST, key: 'b' }), write({ key: 'b', replayed: true })],
    'met',
    2,
  ],
  ['conflict', 'nothing after it', [refused()], 'not_yet', null],
  ['conflict', 'a read after it', [refused(), {}], 'met', 1],
  ['conflict', 'a read that fails', [refused(), { status: 400 }], 'not_yet', null],
  ['conflict', 'a read of the readiness', [refused(), { route: '/test/readiness' }], 'not_yet', null],
  ['conflict', 'a read too late', [refused(), { after: 601_000 }], 'not_yet', null],
  ['conflict', 'another slot', [refused(), write({ key: 'b' })], 'met', 1],
  ['conflict', 'the same request that succeeds later', [refused(), write()], 'not_yet', null],
  ['conflict', 'the same request twice, then a read', [refused(), refused(), refused(), {}], 'met', 3],
  ['conflict', 'a loop', [refused(), refused(), refused(), refused(), {}], 'failed', 3],
  ['conflict', 'a loop, and later a right one', [...Array(4).fill(refused()), {}, refused({ key: 'b' }), {}], 'met', 6],
  [
    'conflict',
    'no endpoint',
    [refused({ route: '/webhooks/test-events', code: 'endpoint_unavailable' }), {}],
    'not_yet',
    null,
  ],
  ['rate_limit', 'nothing after it', [limited()], 'not_yet', null],
  ['rate_limit', 'the next request is served', [limited(), limited({ after: 20 }), { after: 40_000 }], 'met', 2],
  ['rate_limit', 'a loop', [limited(), ...Array(9).fill(limited({ after: 300 })), { after: 40_000 }], 'failed', 4],
  ['rate_limit', 'a dead key', [limited({ reason: 'failed_authentication' }), {}], 'not_yet', null],
  ['rate_limit', 'too many test events', [limited({ route: '/webhooks/test-events' }), {}], 'not_yet', null],
  ['rate_limit', 'the same write after a second', [write(limited()), write({ after: 1_000 })], 'met', 1],
  ['rate_limit', 'the same write too early', [write(limited()), write({ after: 300 })], 'failed', 1],
  ['rate_limit', 'another write', [write(limited()), write({ key: 'b' })], 'not_yet', null],
  ['rate_limit', 'a day later', [limited(), { after: 86_400_000 }], 'not_yet', null],
  ['clock', 'no request after it', [CLOCK], 'not_yet', null],
  ['clock', 'a request that succeeds', [CLOCK, { status: 401 }, {}], 'met', 2],
  ['clock', 'only requests of the sandbox', [CLOCK, { route: '/test/readiness' }], 'not_yet', null],
  ['clock', 'a replay of the call', [{ ...CLOCK, replayed: true }, {}], 'not_yet', null],
  ['clock', 'only failures', [CLOCK, ...Array(5).fill({ status: 401, code: 'invalid_api_key' })], 'failed', 5],
  ['clock', 'too few failures', [CLOCK, ...Array(4).fill({ status: 401 })], 'not_yet', null],
  ['clock', 'a request two hours later', [CLOCK, { after: 7_200_000 }], 'not_yet', null],
];

test.each(CASES)('%s: %s', (criterion, _, given, state, evidence) => {
  const requests = requestsOf(given);
  const advances = new Set(requests.filter(({ route }) => route === '/test/clock').map(({ at }) => at.getTime()));
  const found = evidenceOf(judge(requests, advances), null).find((one) => one.criterion === criterion);
  const by = evidence === null ? undefined : requests[evidence];
  expect(found).toEqual({ criterion, state, at: by?.at.toISOString() ?? null, request_id: by?.id ?? null });
});

test('a call that did not advance the clock is no evidence', () => {
  const states = evidenceOf(judge(requestsOf([CLOCK, {}]), new Set()), null).map(({ criterion, state }) => [
    criterion,
    state,
  ]);
  expect(states).toEqual(CRITERIA.map((criterion) => [criterion, 'not_yet']));
});

test.each([
  [200, 400, 'met'],
  [204, 410, 'met'],
  [200, null, 'not_yet'],
  [null, 400, 'not_yet'],
  [200, 200, 'failed'],
  [400, 400, 'failed'],
  [200, 500, 'failed'],
  [200, 0, 'failed'],
  [0, 0, 'failed'],
] as const)('a receiver that answers %s and %s to the genuine and the forged event: %s', (genuine, forged, state) => {
  const check: SignatureCheck = { at: new Date(START), requestId: 'req', genuine, forged };
  expect(evidenceOf(judge([], new Set()), check).find(({ criterion }) => criterion === 'signature')?.state).toBe(state);
});

// The longest searches: no request of these is evidence, so each is compared with others. A search that compares each with all
// others takes 12.5 million comparisons.
test.each<[string, (index: number) => Given]>([
  ['creates that are lost', (index) => write({ reference: `${LOST}${index}`, key: `${index}` })],
  ['one create that is lost', () => write({ reference: LOST })],
  ['refusals by the quota, of which the next is too late', () => limited({ after: 601_000 })],
  [
    'refusals by the quota at one moment',
    (index) => (index % 52 === 0 ? limited({ after: 0 }) : { status: 400, after: 0 }),
  ],
  ['refused writes', (index) => refused({ key: `${index}`, after: index % 9 })],
])('5,000 %s are judged in bounded time', (_, given) => {
  const requests = requestsOf(Array.from({ length: 5_000 }, (__, index) => given(index)));
  let reads = 0;
  const counted = new Proxy(requests, {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
      return Reflect.get(target, name, receiver);
    },
  });
  judge(counted, new Set());
  expect(reads).toBeLessThan(5_000 * 250);
});
