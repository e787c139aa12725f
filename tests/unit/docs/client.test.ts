import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  AuthenticationError,
  type ClientOptions,
  ConflictError,
  ForbiddenError,
  NoResponseError,
  PartnerError,
  pages,
  partnerClient,
  RateLimitError,
  type ResponseInfo,
  UnavailableError,
} from '@/lib/contract/client';

type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'lost';
type Sent = { url: URL; init: RequestInit; at: number };

const META = { request_id: 'req_1', version: 'v1' };

const refusal = (status: number, code: string, reason: string | null = null, headers = {}): Answer => ({
  status,
  body: { error: { code, message: 'A message.', reason, fields: [], doc_url: '' }, meta: META },
  headers: { 'X-Request-Id': 'req_1', ...headers },
});

const success = (data: unknown, headers = {}): Answer => ({ status: 200, body: { data, meta: META }, headers });

/** Returns a client whose requests get the given answers in order. The last answer is repeated. */
function clientOf(answers: Answer[], more: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const seen: ResponseInfo[] = [];
  const client = partnerClient({
    baseUrl: 'https://host/api/partner/v1/',
    apiKey: 'pbk_test_1',
    onResponse: (response) => seen.push(response),
    fetch: async (url, init) => {
      sent.push({ url: new URL(url), init, at: Date.now() });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      if (!answer || answer === 'lost') throw new TypeError('fetch failed');
      const body = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      return new Response(body, { status: answer.status, headers: answer.headers });
    },
    ...more,
  });
  return { client, sent, seen };
}

/** Runs all timers, and returns the error with which the call fails. */
async function failure(call: Promise<unknown>): Promise<PartnerError> {
  const settled = call.then(
    () => null,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  const error = await settled;
  if (!(error instanceof PartnerError)) throw new Error('There is no PartnerError.', { cause: error });
  return error;
}

const BODY = { expected_version: 1 };
const KEY = '5d4a1c2e-8f0b-4c3d-9e6a-7b2f1d0c9e8a';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a request has the key, the query without absent parameters, and the body with the idempotency key', async () => {
  const { client, sent, seen } = clientOf([success({ slots: [], next_cursor: null }, { 'X-Request-Id': 'req_7' })]);
  await client.listAvailability({ service_id: 'svc_1', date: '2026-09-14', limit: 5, cursor: undefined });
  await client.cancelBooking('pbr_/x', BODY, KEY);
  const [read, write] = sent;
  expect(read?.url.href).toBe('https://host/api/partner/v1/availability?service_id=svc_1&date=2026-09-14&limit=5');
  expect(read?.init.headers).toEqual({ Authorization: 'Bearer pbk_test_1', Accept: 'application/json' });
  expect(write?.url.pathname).toBe('/api/partner/v1/bookings/pbr_%2Fx/actions/cancel');
  expect(write?.init).toMatchObject({ method: 'POST', body: JSON.stringify(BODY), redirect: 'manual' });
  expect(write?.init.headers).toMatchObject({ 'Content-Type': 'application/json', 'Idempotency-Key': KEY });
  expect(seen[0]).toEqual({
    method: 'GET',
    path: '/availability',
    status: 200,
    requestId: 'req_7',
    replayed: false,
    attempt: 1,
  });
});

test.each([
  ['401', refusal(401, 'invalid_api_key', 'missing'), AuthenticationError],
  ['429 after failed authentications', refusal(429, 'rate_limited', 'failed_authentication'), AuthenticationError],
  ['403', refusal(403, 'insufficient_scope'), ForbiddenError],
  ['409', refusal(409, 'booking_unavailable', 'slot_taken'), ConflictError],
])('a call stops at a %s', async (_, answer, kind) => {
  const { client, sent } = clientOf([answer]);
  const error = await failure(client.listCatalog());
  expect(error).toBeInstanceOf(kind);
  expect(error.requestId).toBe('req_1');
  expect(sent.length).toBe(1);
});

test('a temporary failure is retried with the same idempotency key, and not before Retry-After', async () => {
  const busy = refusal(503, 'service_unavailable', null, { 'Retry-After': '7' });
  const { client, sent, seen } = clientOf(['lost', busy, success({ booking: {} }, { 'Idempotent-Replayed': 'true' })]);
  const call = client.cancelBooking('pbr_1', BODY, KEY);
  await vi.runAllTimersAsync();
  await call;
  expect(sent.map(({ init }) => (init.headers as Record<string, string>)['Idempotency-Key'])).toEqual([KEY, KEY, KEY]);
  const [first, second, third] = sent.map(({ at }) => at);
  expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(500);
  expect(Number(third) - Number(second)).toBeGreaterThanOrEqual(7_000);
  expect(seen.map(({ status, attempt, replayed }) => [status, attempt, replayed])).toEqual([
    [0, 1, false],
    [503, 2, false],
    [200, 3, true],
  ]);
});

test('the attempts and the total duration are bounded', async () => {
  const lost = clientOf(['lost']);
  const error = await failure(lost.client.cancelBooking('pbr_1', BODY, KEY));
  expect(error).toBeInstanceOf(NoResponseError);
  expect(error).toMatchObject({ status: 0, code: 'no_response', requestId: null });
  expect(lost.sent.length).toBe(6);

  const limited = clientOf([refusal(429, 'rate_limited', null, { 'Retry-After': '20' })]);
  const started = Date.now();
  expect(await failure(limited.client.listCatalog())).toMatchObject({ code: 'rate_limited', retryAfter: 20 });
  expect(Date.now() - started).toBeLessThan(60_000);
  expect(limited.sent.length).toBeLessThanOrEqual(3);

  const long = clientOf([refusal(429, 'rate_limited', null, { 'Retry-After': '3600' })]);
  expect(await failure(long.client.listCatalog())).toBeInstanceOf(RateLimitError);
  expect(long.sent.length).toBe(1);
});

test.each([
  ['a path instead of an address', { baseUrl: '/api/partner/v1' }, {}],
  ['an address without a scheme', { baseUrl: 'localhost:3000/api/partner/v1' }, {}],
  ['a key with a line break', { apiKey: 'pbk_test_1\r\nX-Other: 1' }, {}],
  ['a body that is not JSON', {}, { expected_version: 1n as unknown as number }],
])('a request that cannot be sent is not retried: %s', async (_, options, body) => {
  const { client, sent } = clientOf(['lost'], options);
  await expect(client.cancelBooking('pbr_1', { ...BODY, ...body }, KEY)).rejects.toThrow(TypeError);
  expect(sent.length).toBe(0);
});

test('the error for an invalid key does not quote the key', async () => {
  for (const apiKey of ['pbk_test_1\npbk_test_2', 'pbk_test_1\0', '']) {
    const { client } = clientOf(['lost'], { apiKey });
    await expect(client.listCatalog()).rejects.toThrow(
      new TypeError('apiKey is empty or has characters that a header must not have.'),
    );
  }
  const { client, sent } = clientOf([success({ services: [] })], { apiKey: 'pbk_test_1\n' });
  await client.listCatalog();
  expect(sent[0]?.init.headers).toMatchObject({ Authorization: 'Bearer pbk_test_1' });
});

test('a response of a proxy is an error without a code of the API', async () => {
  const { client, sent } = clientOf([{ status: 502, body: '<html>' }], { maxDuration: 3_000 });
  const error = await failure(client.listCatalog());
  expect(error).toBeInstanceOf(UnavailableError);
  expect(error).toMatchObject({ status: 502, code: 'unknown', reason: null });
  expect(sent.length).toBeGreaterThan(1);
  const login = clientOf([{ status: 200, body: '<html>Sign in to the network</html>' }]);
  const unexpected = await failure(login.client.listCatalog());
  expect(unexpected).toBeInstanceOf(UnavailableError);
  expect(unexpected).toMatchObject({
    status: 200,
    code: 'unknown',
    message: expect.stringContaining('not from the API'),
  });
  expect(login.sent.length).toBe(6);
});

test.each([
  ['fetch failed', 'ENOTFOUND', 'name_not_found', 1],
  ['fetch failed', 'EAI_AGAIN', 'no_response', 6],
  ['fetch failed', 'ECONNREFUSED', 'connection_refused', 3],
  ['fetch failed', 'CERT_HAS_EXPIRED', 'tls_failed', 1],
  ['fetch failed', 'ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed', 1],
  ['fetch failed', 'ECONNRESET', 'no_response', 6],
  // Deno and Bun have the cause in the message or in a code of their own.
  ['error sending request: tcp connect error: Connection refused (os error 111)', '', 'connection_refused', 3],
  ['error sending request: invalid peer certificate: UnknownIssuer', '', 'tls_failed', 1],
  ['Unable to connect', 'ConnectionRefused', 'connection_refused', 3],
])('a failure without a response names its cause: %s %s', async (message, code, expected, requests) => {
  const cause = Object.assign(new Error('A cause.'), { code });
  let sent = 0;
  const fetch = async () => {
    sent += 1;
    throw new TypeError(message, { cause });
  };
  const error = await failure(clientOf([], { fetch }).client.listCatalog());
  expect(error).toBeInstanceOf(NoResponseError);
  expect([error.code, sent]).toEqual([expected, requests]);
});

test('jitter adds at most half a second to Retry-After, so that a wait of 59 seconds fits into a call', async () => {
  for (let n = 0; n < 20; n += 1) {
    const busy = refusal(429, 'rate_limited', null, { 'Retry-After': '59' });
    const { client, sent } = clientOf([busy, success({ booking: {} })]);
    const call = client.cancelBooking('pbr_1', BODY, KEY);
    await vi.runAllTimersAsync();
    await call;
    const [first, second] = sent.map(({ at }) => at);
    expect(Number(second) - Number(first)).toBeGreaterThanOrEqual(59_000);
    expect(Number(second) - Number(first)).toBeLessThan(59_501);
  }
});

test('pages reads every page with the same query', async () => {
  const page = (id: string, next_cursor: string | null) => success({ services: [{ id }], locations: [], next_cursor });
  const { client, sent } = clientOf([page('a', 'c1'), page('b', 'c2'), page('c', null)]);
  const ids: string[] = [];
  for await (const { services } of pages(client.listCatalog, { limit: 1 })) ids.push(...services.map(({ id }) => id));
  expect(ids).toEqual(['a', 'b', 'c']);
  expect(sent.map(({ url }) => url.search)).toEqual(['?limit=1', '?limit=1&cursor=c1', '?limit=1&cursor=c2']);
});
