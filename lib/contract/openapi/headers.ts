import { EXAMPLE_IDS } from '../common';
import type { Json } from './schemas';

type Header = { description: string; schema: Json; example: string | number };

const header = (description: string, example: string | number, schema: Json = { type: 'string' }): Header => ({
  description,
  schema,
  example,
});

const count = { type: 'integer', minimum: 0 };
const word = (value: string) => ({ type: 'string', const: value });
const requestId = { type: 'string', pattern: '^req_[0-7][0-9a-hjkmnp-tv-z]{25}$' };

/** On every response (contract A). */
const COMMON = {
  'X-Request-Id': header('Our id of this request. Quote it to support.', EXAMPLE_IDS.request, requestId),
  'Cache-Control': header('Answers are never cached.', 'private, no-store', word('private, no-store')),
  'Referrer-Policy': header('No referrer is sent.', 'no-referrer', word('no-referrer')),
  'X-RateLimit-Limit': header('Requests that the current window allows.', 600, count),
  'X-RateLimit-Remaining': header('Requests that are left in it.', 599, count),
  'X-RateLimit-Reset': header('When it ends, in Unix seconds.', 1789376400, count),
};

const OWN = {
  'Retry-After': header('Seconds until a retry makes sense.', 2, { type: 'integer', minimum: 1 }),
  'WWW-Authenticate': header('How to authenticate.', 'Bearer', word('Bearer')),
  Allow: header('Methods that the path answers.', 'GET'),
  Location: header('Path of the booking.', `/api/partner/v1/bookings/${EXAMPLE_IDS.booking}`),
  'Content-Language': header('Language of names and descriptions.', 'en'),
  'Idempotent-Replayed': header('Present on a replay: nothing was done again.', 'true', word('true')),
  'X-Original-Request-Id': header('Present on a replay: the request that did it.', EXAMPLE_IDS.request, requestId),
};

/** A header that some responses have beside the common ones. */
export type OwnHeader = keyof typeof OWN;

const ref = (name: string) => [name, { $ref: `#/components/headers/${name}` }];

/** Headers that are there on some answers of a response only. */
const SOMETIMES: readonly string[] = ['Idempotent-Replayed', 'X-Original-Request-Id'];

/** Returns the document's headers. */
export function componentHeaders(): Json {
  const all = Object.entries({ ...COMMON, ...OWN });
  return Object.fromEntries(all.map(([name, one]) => [name, { ...one, required: !SOMETIMES.includes(name) }]));
}

/** Returns the headers of a response: the common ones and its own. */
export function responseHeaders(own: readonly OwnHeader[] = []): Json {
  return Object.fromEntries([...Object.keys(COMMON), ...own].map(ref));
}
