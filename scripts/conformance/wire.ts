import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type Dispatcher } from 'undici';
import { API_ERRORS, type ApiErrorCode } from '@/lib/contract/errors/api-errors';
import { errorBody } from '@/lib/contract/errors/body';
import { type Options, UsageError } from './options';
import { NoAnswer, type Report } from './report';

/** One answer. `json` is null when the body is none. */
export type Reply = {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  json: Record<string, unknown> | null;
  code: string | null;
  reason: string | null;
  /** Paths that the refusal names. */
  fields: string[];
};

/** What to send; without `key` the run's own, with null none at all. */
export type Call = {
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  key?: string | null;
};

/** Requests that are left in a window when the rest of it is waited for. */
const RESERVE = 3;
const TRIES = 4;

/** How long one answer may take, in milliseconds. */
const PATIENCE_MS = 20_000;

/** Two waits that end within this are one to who reads along, in milliseconds. */
const SAME_WAIT_MS = 2_000;

/** One request for each scope that the suite needs: the scope is checked before anything else of it (contract B2). */
const PROBES: readonly (readonly [string, string, Call])[] = [
  ['catalog.read', '/catalog?limit=1', {}],
  ['availability.read', '/availability', {}],
  ['booking.create', '/bookings', { method: 'POST' }],
  ['booking.manage', `/bookings/pbr_${'0'.repeat(26)}`, {}],
];

/** Sends the suite's requests, in step with the rate limit, and looks at what every answer must have. */
export class Wire {
  calls = 0;
  badKeys = 0;
  readonly #problems = new Map<string, Set<string>>();
  readonly #agent = new Agent({ connections: 20 });
  #pauseUntil = 0;
  #announcedUntil = 0;
  #overloads = 0;

  constructor(
    readonly options: Options,
    readonly report: Report,
  ) {}

  /**
   * Makes the first calls.
   * @throws UsageError when nobody answers, the key is not accepted, something else than this API answers, or the key
   * lacks a scope: nothing could be said then.
   */
  async introduce(): Promise<void> {
    const replies: Reply[] = [];
    for (const [, path, call] of PROBES) {
      const reply = await this.send(path, call).catch(() => null);
      if (!reply) throw new UsageError('Nobody answers at the base URL.');
      if (reply.status === 401) throw new UsageError(`The key is not accepted here (${reply.reason ?? reply.code}).`);
      if (reply.code === 'credential_restricted')
        throw new UsageError(`The key may not be used from here (${reply.reason ?? reply.code}).`);
      // Only the first is a request that succeeds.
      if (replies.length === 0 && !lacksScope(reply) && !isSuccess(reply))
        throw new UsageError(`What answers at the base URL is not this API (${reply.status}, or no envelope).`);
      replies.push(reply);
    }
    const lacking = PROBES.filter((_, i) => replies[i] && lacksScope(replies[i])).map(([scope]) => scope);
    if (lacking.length > 0) throw new UsageError(`The suite needs scopes that the key lacks: ${lacking.join(', ')}.`);
  }

  /** Sends one request to a path below the base path; waits first when the quota asks for it. */
  async send(path: string, call: Call = {}): Promise<Reply> {
    const { key = this.options.key } = call;
    for (let attempt = 1; ; attempt += 1) {
      await this.#pace();
      const reply = await this.#once(path, call, key);
      if (key === this.options.key) this.#remember(reply);
      if (reply.status !== 429 || attempt === TRIES) return reply;
      await this.#wait(Number(reply.headers['retry-after'] ?? 1) * 1000);
    }
  }

  async #once(path: string, { method = 'GET', headers = {}, body }: Call, key: string | null): Promise<Reply> {
    this.calls += 1;
    if (key !== this.options.key) this.badKeys += 1;
    // Origin and path apart: a path goes out as it stands, not as a URL parser would tidy it.
    const { origin, api } = this.options;
    const answer = async () => {
      const response = await this.#agent.request({
        origin,
        path: api.slice(origin.length) + path,
        method: method as Dispatcher.HttpMethod,
        headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
        body,
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return { response, text: await response.body.text() };
    };
    const { response, text } = await answer().catch((error: Error & { code?: unknown }) => {
      const late = error.name === 'TimeoutError';
      throw new NoAnswer(late ? `no answer within ${PATIENCE_MS / 1000} s` : `no answer (${error.code ?? error.name})`);
    });
    const flat = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]));
    const reply = replyOf(response.statusCode, flat, text);
    this.#lookAt(reply, method);
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

  /** Notes what any answer lacks (contract A, B3); said once, at the end. */
  #lookAt(reply: Reply, method: string): void {
    if (reply.status === 429 || reply.status === 503) this.#overloads += 1;
    for (const [what, problem] of problemsOf(reply, method)) {
      const seen = this.#problems.get(what) ?? new Set();
      this.#problems.set(what, seen.add(problem));
    }
  }

  /** Reports what holds for every single answer of the run. */
  async conclude(name: string): Promise<void> {
    this.report.begin(name);
    for (const [section, what] of EVERY) {
      const seen = [...(this.#problems.get(what) ?? [])];
      if (what === RETRY_AFTER && this.#overloads === 0) this.report.skip(section, what, 'there was neither');
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

/** What every answer is held to, with its section. */
const EVERY = [
  ['A', 'X-Request-Id, written as an id of ours'],
  ['A', 'Cache-Control: private, no-store'],
  ['A', 'Referrer-Policy: no-referrer'],
  ['A', 'X-RateLimit-Limit, -Remaining and -Reset'],
  ['A', RETRY_AFTER],
  ['A', 'no CORS header'],
  ['A', 'Content-Type: application/json; charset=utf-8'],
  ['A', 'the envelope, with meta.request_id equal to X-Request-Id'],
  ['B3', 'the error body, with the status of its code'],
] as const;

function* problemsOf({ status, headers, json, code }: Reply, method: string): Generator<[string, string]> {
  const [id, cache, referrer, quota, retry, cors, type, envelope, refusal] = EVERY.map(([, what]) => what) as string[];
  const at = `a ${status} to ${method}`;
  const requestId = headers['x-request-id'] ?? '';
  if (!/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(requestId)) yield [id ?? '', at];
  if (headers['cache-control'] !== 'private, no-store') yield [cache ?? '', at];
  if (headers['referrer-policy'] !== 'no-referrer') yield [referrer ?? '', at];
  const limits = ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`] ?? '');
  if (!limits.every((value) => /^\d+$/.test(value))) yield [quota ?? '', at];
  if ((status === 429 || status === 503) && !(Number(headers['retry-after']) > 0)) yield [retry ?? '', at];
  if (Object.keys(headers).some((name) => name.startsWith('access-control-'))) yield [cors ?? '', at];
  if (method === 'HEAD') return;
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

/** Returns an answer with what checks ask of it most. */
export function replyOf(status: number, headers: Reply['headers'], text: string): Reply {
  let json: Reply['json'] = null;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) json = parsed as Reply['json'];
  } catch {
    // No JSON is a finding of its own: the envelope is missing.
  }
  const error = json?.error as { code?: unknown; reason?: unknown; fields?: { path?: unknown }[] } | undefined;
  const fields = Array.isArray(error?.fields) ? error.fields.map((field) => String(field?.path)) : [];
  const word = (value: unknown) => (typeof value === 'string' ? value : null);
  return { status, headers, text, json, code: word(error?.code), reason: word(error?.reason), fields };
}
