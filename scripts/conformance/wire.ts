import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { API_ERRORS, type ApiErrorCode } from '@/lib/contract/errors/api-errors';
import { errorBody } from '@/lib/contract/errors/body';
import { SUITE_AGENT } from '@/lib/contract/readiness';
import { type Options, UsageError } from './options';
import { NoResponse, type Report } from './report';

/** `json` is null if the body is not a JSON object. */
export type Reply = {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  json: Record<string, unknown> | null;
  code: string | null;
  reason: string | null;
  /** Of the invalid fields. */
  fields: string[];
};

/** An undefined `key` is that of the suite. Null sends none. */
export type Call = {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  key?: string | null;
  /** Whether `send` returns a 429 instead of repeating the request. */
  limited?: boolean;
};

/** When at most this many requests are left in the quota, the suite waits for the next window. */
const RESERVE = 3;
const MAX_ATTEMPTS = 4;

/** Milliseconds. */
export const TIMEOUT_MS = 20_000;

/** Two waits that end at most this many milliseconds apart are reported as one. */
const SAME_WAIT_MS = 2_000;

/** One for each scope. The server checks the scope before the parameters (contract B2), so these need not be valid. */
const PROBES: readonly (readonly [string, string, Call])[] = [
  ['catalog.read', '/catalog?limit=1', {}],
  ['availability.read', '/availability', {}],
  ['booking.create', '/bookings', { method: 'POST' }],
  ['booking.manage', `/bookings/pbr_${'0'.repeat(26)}`, {}],
];

/** Sends requests within the rate limit, and checks each response against the rules for all. */
export class Wire {
  calls = 0;
  badKeys = 0;
  /** The id of the first response to the key of the suite. */
  firstRequestId = '';
  readonly #problems = new Map<string, Set<string>>();
  readonly #agent = new Agent({ connections: 20 });
  #pauseUntil = 0;
  #announcedUntil = 0;
  #overloads = 0;

  constructor(
    readonly options: Options,
    readonly report: Report,
    readonly timeout = TIMEOUT_MS,
  ) {}

  /**
   * Checks that the suite can run, with one request for each scope.
   * @throws UsageError if there is no response, the key is refused or lacks a scope, or the server is not this API.
   */
  async probe(): Promise<void> {
    const replies: Reply[] = [];
    for (const [, path, call] of PROBES) {
      const reply = await this.send(path, call).catch(() => null);
      if (!reply) throw new UsageError('The server at --base-url does not respond. Check --base-url and the server.');
      if (reply.status === 401)
        throw new UsageError(`The server does not accept the key (${reply.reason ?? reply.code}).`);
      if (reply.code === 'credential_restricted')
        throw new UsageError(`The key is restricted (${reply.reason ?? reply.code}).`);
      // Only the first request can succeed. If the key lacks scopes, the error after the loop names all of them.
      if (replies.length === 0 && !lacksScope(reply) && !isSuccess(reply))
        throw new UsageError(
          `The response to ${path} is not a catalog (status ${reply.status}). Check --base-url and the server.`,
        );
      replies.push(reply);
    }
    const lacking = PROBES.filter((_, i) => replies[i] && lacksScope(replies[i])).map(([scope]) => scope);
    if (lacking.length > 0)
      throw new UsageError(`The suite requires scopes that the key lacks: ${lacking.join(', ')}.`);
  }

  /**
   * Sends one request below the base path, after a wait if the quota is nearly used. After a 429, tries again, up to
   * MAX_ATTEMPTS, unless `call.limited`.
   * @throws NoResponse if there is no response
   */
  async send(path: string, call: Call = {}): Promise<Reply> {
    const { key = this.options.key } = call;
    for (let attempt = 1; ; attempt += 1) {
      await this.#pace();
      const reply = await this.#once(path, call, key);
      if (key === this.options.key) this.#remember(reply);
      if (reply.status !== 429 || call.limited || attempt === MAX_ATTEMPTS) return reply;
      await this.#wait(Number(reply.headers['retry-after'] ?? 1) * 1000);
    }
  }

  async #once(path: string, { method = 'GET', headers = {}, body }: Call, key: string | null): Promise<Reply> {
    this.calls += 1;
    if (key !== this.options.key) this.badKeys += 1;
    // A URL parser would change some paths, such as `/a/../b` to `/b`.
    const { origin, api } = this.options;
    const exchange = async () => {
      const response = await this.#agent.request({
        origin,
        path: api.slice(origin.length) + path,
        method: method as Dispatcher.HttpMethod,
        headers: { 'user-agent': SUITE_AGENT, ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
        body,
        signal: AbortSignal.timeout(this.timeout),
      });
      return { response, text: await response.body.text() };
    };
    const { response, text } = await exchange().catch((error: Error & { code?: unknown }) => {
      const timedOut = error.name === 'TimeoutError';
      const reason = timedOut ? ` within ${this.timeout / 1000} s` : ` (${error.code ?? error.name})`;
      throw new NoResponse(`no response${reason}`);
    });
    const flat = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]));
    const reply = replyOf(response.statusCode, flat, text);
    if (key === this.options.key) this.firstRequestId ||= reply.headers['x-request-id'] ?? '';
    this.#inspect(reply, method);
    return reply;
  }

  #remember({ headers, status }: Reply): void {
    const remaining = Number(headers['x-ratelimit-remaining']);
    if (status === 429 || remaining > RESERVE || Number.isNaN(remaining)) return;
    this.#pauseUntil = Number(headers['x-ratelimit-reset']) * 1000;
  }

  async #pace(): Promise<void> {
    const pause = this.#pauseUntil - Date.now();
    if (pause > 0) await this.#wait(Math.min(pause, 120_000));
  }

  async #wait(milliseconds: number): Promise<void> {
    const until = Date.now() + milliseconds;
    if (until > this.#announcedUntil + SAME_WAIT_MS) {
      this.#announcedUntil = until;
      this.report.say(`  … waiting ${Math.ceil(milliseconds / 1000)} s for the rate limit`);
    }
    await delay(milliseconds);
  }

  /** Contract A, B3. `conclude` reports the violations. */
  #inspect(reply: Reply, method: string): void {
    if (reply.status === 429 || reply.status === 503) this.#overloads += 1;
    for (const [what, problem] of problemsOf(reply, method)) {
      const seen = this.#problems.get(what) ?? new Set();
      this.#problems.set(what, seen.add(problem));
    }
  }

  /** Reports a check for each rule that applies to all responses. */
  async conclude(name: string): Promise<void> {
    this.report.begin(name);
    for (const [section, what] of EVERY) {
      const seen = [...(this.#problems.get(what) ?? [])];
      if (what === RETRY_AFTER && this.#overloads === 0)
        this.report.skip(section, what, 'no response had either status');
      else await this.report.check(section, what, () => assert.deepEqual(seen, []));
    }
  }
}

const isSuccess = ({ status, json }: Reply): boolean =>
  status === 200 &&
  typeof json?.data === 'object' &&
  json.data !== null &&
  (json.meta as { version?: unknown } | undefined)?.version === 'v1';

const lacksScope = ({ status, code }: Reply): boolean => status === 403 && code === 'insufficient_scope';

const RETRY_AFTER = 'Retry-After with 429 and 503';

/** On every response, by section of the contract. */
const EVERY = [
  ['A', 'X-Request-Id in the format of a request id'],
  ['A', 'Cache-Control: private, no-store'],
  ['A', 'Referrer-Policy: no-referrer'],
  ['A', 'X-RateLimit-Limit, -Remaining, and -Reset'],
  ['A', RETRY_AFTER],
  ['B9', 'RateLimit and RateLimit-Policy with the same numbers'],
  ['A', 'no CORS header'],
  ['A', 'Content-Type: application/json; charset=utf-8'],
  ['A', 'the envelope, with meta.request_id equal to X-Request-Id'],
  ['B3', 'the error body, with the status of its code'],
] as const;

function* problemsOf({ status, headers, json, code }: Reply, method: string): Generator<[string, string]> {
  const [id, cache, referrer, quota, retry, structured, cors, type, envelope, refusal] = EVERY.map(
    ([, what]) => what,
  ) as string[];
  const at = `a ${status} to ${method}`;
  const requestId = headers['x-request-id'] ?? '';
  if (!/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(requestId)) yield [id ?? '', at];
  if (headers['cache-control'] !== 'private, no-store') yield [cache ?? '', at];
  if (headers['referrer-policy'] !== 'no-referrer') yield [referrer ?? '', at];
  const limits = ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`] ?? '');
  if (!limits.every((value) => /^\d+$/.test(value))) yield [quota ?? '', at];
  if ((status === 429 || status === 503) && !(Number(headers['retry-after']) > 0)) yield [retry ?? '', at];
  const [limit, remaining] = limits;
  const isPolicy = (headers['ratelimit-policy'] ?? '').endsWith(`";q=${limit};w=60`);
  const isWindow = new RegExp(`^"(application|business|address)";r=${remaining};t=\\d+$`).test(headers.ratelimit ?? '');
  if (!isPolicy || !isWindow) yield [structured ?? '', at];
  if (Object.keys(headers).some((name) => name.startsWith('access-control-'))) yield [cors ?? '', at];
  // A 304 has no body (contract B17).
  if (method === 'HEAD' || status === 304) return;
  if (!/^application\/json\s*;\s*charset="?utf-8"?$/i.test(headers['content-type'] ?? '')) yield [type ?? '', at];
  const meta = json?.meta as { request_id?: unknown; version?: unknown } | undefined;
  const names = Object.keys(json ?? {})
    .sort()
    .join();
  const right = names === (status < 400 ? 'data,meta' : 'error,meta');
  if (!right || meta?.version !== 'v1' || meta.request_id !== requestId) yield [envelope ?? '', at];
  if (status < 400) return;
  const known = Object.hasOwn(API_ERRORS, code ?? '') ? API_ERRORS[code as ApiErrorCode].status : 0;
  const fits = known === status || (status === 405 && code === 'invalid_request');
  if (!errorBody.safeParse(json).success || !fits) yield [refusal ?? '', `${at}, code ${code}`];
}

/** Returns a response with its body parsed, and with the code and reason of an error. */
function replyOf(status: number, headers: Reply['headers'], text: string): Reply {
  let json: Reply['json'] = null;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) json = parsed as Reply['json'];
  } catch {
    // A later check reports the missing envelope.
  }
  const error = json?.error as { code?: unknown; reason?: unknown; fields?: { path?: unknown }[] } | undefined;
  const fields = Array.isArray(error?.fields) ? error.fields.map((field) => String(field?.path)) : [];
  const word = (value: unknown) => (typeof value === 'string' ? value : null);
  return { status, headers, text, json, code: word(error?.code), reason: word(error?.reason), fields };
}
