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

/** Headers of every response (contract A). */
const COMMON = {
  'X-Request-Id': header('Id of this request. Include it in support requests.', EXAMPLE_IDS.request, requestId),
  'Cache-Control': header('Responses must not be cached.', 'private, no-store', word('private, no-store')),
  'Referrer-Policy': header('No referrer is sent.', 'no-referrer', word('no-referrer')),
  'X-RateLimit-Limit': header('Requests allowed in the current window.', 600, count),
  'X-RateLimit-Remaining': header('Requests left in the current window.', 599, count),
  'X-RateLimit-Reset': header('End of the current window, in Unix seconds.', 1789376400, count),
};

const OWN = {
  'Retry-After': header('Seconds to wait before a retry.', 2, { type: 'integer', minimum: 1 }),
  'WWW-Authenticate': header('How to authenticate.', 'Bearer', word('Bearer')),
  Allow: header('Methods that the path supports.', 'GET'),
  Location: header('Path of the booking.', `/api/partner/v1/bookings/${EXAMPLE_IDS.booking}`),
  'Content-Language': header('Language of names and descriptions.', 'en'),
  'Idempotent-Replayed': header('Present on a replay, which changes nothing.', 'true', word('true')),
  'X-Original-Request-Id': header('Present on a replay: id of the original request.', EXAMPLE_IDS.request, requestId),
};

/** The name of a header that only some responses have. */
export type OwnHeader = keyof typeof OWN;

const ref = (name: string) => [name, { $ref: `#/components/headers/${name}` }];

/** Headers that the document does not mark as required, because only replays have them. */
const OPTIONAL: readonly string[] = ['Idempotent-Replayed', 'X-Original-Request-Id'];

/** Returns the headers for the `components` section of the document. */
export function componentHeaders(): Json {
  const all = Object.entries({ ...COMMON, ...OWN });
  return Object.fromEntries(all.map(([name, one]) => [name, { ...one, required: !OPTIONAL.includes(name) }]));
}

/** Returns references to the headers of a response: the headers of every response, and the headers in `own`. */
export function responseHeaders(own: readonly OwnHeader[] = []): Json {
  return Object.fromEntries([...Object.keys(COMMON), ...own].map(ref));
}
