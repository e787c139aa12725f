import { randomInt } from 'node:crypto';
import { Agent, request } from 'undici';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { ApiErrorCode } from '@/lib/contract/errors/api-errors';
import { errorBody } from '@/lib/contract/errors/body';
import type { Operation } from '@/lib/contract/operations';
import { API_STATUSES } from './error-table';
import { expectDocumented } from './openapi';

/** Checked against the contract. */
export type Reply<Data = unknown> = {
  status: number;
  headers: Record<string, string | undefined>;
  requestId: string;
  text: string;
  /** Parsed with the operation's schema. */
  data: Data;
  error: Refusal;
};

type Refusal = z.output<typeof errorBody>['error'];

type Options = {
  origin: string;
  key?: string;
  /** In 127.0.0.0/8. Each address has its own failure quota, so tests use different ones. */
  address?: string;
};

type Call<O extends Operation> = { operation?: O; method?: string; headers?: Record<string, string>; body?: string };

/** Checks every response against the contract and the OpenAPI document. */
export type Client = <O extends Operation>(path: string, call?: Call<O>) => Promise<Reply<z.output<O['data']>>>;

/** Of 127.10.0.1 to 127.249.255.254. */
const ADDRESSES = 240 * 256 * 254;
/** A prime number, so that every address comes up once, and consecutive ones are in different networks. */
const STRIDE = 7_368_787;

let latest = randomInt(ADDRESSES);

/**
 * An address that this process has not used before. The first is random, because test files run in several processes
 * that share a server.
 */
export function freshAddress(): string {
  latest = (latest + STRIDE) % ADDRESSES;
  const network = Math.floor(latest / 254);
  return `127.${10 + Math.floor(network / 256)}.${network % 256}.${1 + (latest % 254)}`;
}

/** By default, the client has a new address. */
export function createClient({ origin, key, address = freshAddress() }: Options): Client {
  const url = new URL(origin);
  const dispatcher = new Agent({ localAddress: address, connections: 50 });
  return async <O extends Operation>(path: string, { operation, method = 'GET', headers = {}, body }: Call<O> = {}) => {
    const sentAt = Date.now();
    const response = await request(`http://127.0.0.1:${url.port}${path}`, {
      dispatcher,
      method: method as 'GET',
      headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
      body,
    });
    const text = await response.body.text();
    const flat = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]));
    const reply = checkReply<O>(response.statusCode, flat, text, sentAt, operation);
    const parsed = response.statusCode === 304 ? null : JSON.parse(text);
    expectDocumented({ method, path }, response.statusCode, flat, parsed);
    return reply;
  };
}

/** Checks a response against the contract's rules for every response. The request was sent at `sentAt`, in milliseconds. */
export function checkReply<O extends Operation>(
  status: number,
  headers: Record<string, string | undefined>,
  text: string,
  sentAt: number,
  operation?: O,
): Reply<z.output<O['data']>> {
  expect(headers['x-request-id']).toMatch(/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  expect(headers['cache-control']).toBe('private, no-store');
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['x-ratelimit-limit']).toMatch(/^\d+$/);
  expect(headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
  expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThanOrEqual(sentAt / 1000);
  const [, name, left, seconds] =
    /^"(application|business|address)";r=(\d+);t=(\d+)$/.exec(headers.ratelimit ?? '') ?? [];
  expect(left).toBe(headers['x-ratelimit-remaining']);
  expect(Number(seconds)).toBeGreaterThan(0);
  expect(Number(seconds)).toBeLessThanOrEqual(60);
  expect(headers['ratelimit-policy']).toBe(`"${name}";q=${headers['x-ratelimit-limit']};w=60`);
  expect(headers['access-control-allow-origin']).toBeUndefined();
  expect(headers.vary).toBeUndefined();
  if (status === 304) return checkUnchanged(headers, text);
  expect(headers['content-type']).toMatch(/^application\/json/);
  if (status === 429 || status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  const body = JSON.parse(text);
  expect(body.meta).toEqual({ request_id: headers['x-request-id'], version: 'v1' });
  const requestId = headers['x-request-id'] ?? '';
  if (status >= 400)
    return { status, headers, requestId, text, data: undefined as never, error: checkError(status, body) };
  expect(Object.keys(body).sort()).toEqual(['data', 'meta']);
  const data = (operation ? operation.data.parse(body.data) : body.data) as z.output<O['data']>;
  return { status, headers, requestId, text, data, error: undefined as never };
}

/** Contract B17. */
function checkUnchanged(headers: Record<string, string | undefined>, text: string): Reply<never> {
  expect([text, headers['content-type'], headers['content-length']]).toEqual(['', undefined, undefined]);
  const requestId = headers['x-request-id'] ?? '';
  return { status: 304, headers, requestId, text, data: undefined as never, error: undefined as never };
}

function checkError(status: number, body: unknown): Refusal {
  const { error } = errorBody.parse(body);
  const expected = error.code === 'invalid_request' && status === 405 ? 405 : API_STATUSES[error.code as ApiErrorCode];
  expect(status).toBe(expected);
  // A 404 names the field of an unknown id.
  if (error.code === 'not_found') expect(error.fields.length).toBeLessThanOrEqual(1);
  else if (error.code !== 'invalid_request') expect(error.fields).toEqual([]);
  expect(new URL(error.doc_url).pathname).toBe(`/docs/errors/${error.code}`);
  return error;
}
