import { EXAMPLE_IDS, EXAMPLE_TOKEN } from '../common';
import { idPattern, LANGUAGE_TAGS, MAX_INTEGER, REFERENCE_PATTERN, shaped } from '../text';
import type { Json } from './schemas';

type Header = { description: string; schema: Json; example: string | number };

const header = (description: string, example: string | number, schema: Json): Header => ({
  description,
  schema,
  example,
});

const count = { type: 'integer', format: 'int32', minimum: 0, maximum: MAX_INTEGER };
const seconds = { type: 'integer', format: 'int64', minimum: 0, maximum: 253_402_300_799 };
const word = (value: string) => ({ type: 'string', const: value });
const text = (shape: Json) => ({ type: 'string', ...shape });
const requestId = text(shaped(idPattern('req'), 30, 30));
const PATH = '/api/partner/v1/bookings/';

/** Headers of every response (contract A). */
const COMMON = {
  'X-Request-Id': header("The request's id. Include this id in support requests.", EXAMPLE_IDS.request, requestId),
  'Cache-Control': header('Responses must not be cached.', 'private, no-store', word('private, no-store')),
  'Referrer-Policy': header('No referrer is sent.', 'no-referrer', word('no-referrer')),
  'X-RateLimit-Limit': header('Requests allowed in the current window.', 600, count),
  'X-RateLimit-Remaining': header('Requests left in the current window.', 599, count),
  'X-RateLimit-Reset': header('End of the current window, in Unix seconds.', 1789376400, seconds),
  'RateLimit-Policy': header(
    'The same limit as a structured field (IETF draft): whose requests are counted, how many, and in how many seconds.',
    '"application";q=600;w=60',
    text(shaped('^"(application|business|address)";q=[0-9]+;w=[0-9]+$', 60, 10)),
  ),
  RateLimit: header(
    'The same window as a structured field (IETF draft): the requests left, and the seconds until its end.',
    '"application";r=599;t=42',
    text(shaped('^"(application|business|address)";r=[0-9]+;t=[0-9]+$', 60, 10)),
  ),
};

const OWN = {
  'Retry-After': header('Seconds to wait before a retry.', 2, { ...count, minimum: 1 }),
  'WWW-Authenticate': header('How to authenticate.', 'Bearer', word('Bearer')),
  Allow: header('Methods that the path supports.', 'GET', text(shaped('^[A-Z]+(, [A-Z]+)*$', 40, 3))),
  Location: header(
    "The booking's path.",
    PATH + EXAMPLE_IDS.booking,
    text(shaped(`^${PATH}${REFERENCE_PATTERN.slice(1)}`, PATH.length + 30, PATH.length + 30)),
  ),
  'Content-Language': header(
    'Languages of the names and descriptions in the response, that of the request first. A text that is not written in it is in another one.',
    'en',
    text(LANGUAGE_TAGS),
  ),
  ETag: header(
    'The token of the response, as a weak entity tag. Send it in `If-None-Match` to get a 304 while the response stays the same.',
    `W/"${EXAMPLE_TOKEN}"`,
    text(shaped('^W/"[A-Za-z0-9_-]+"$', 70, 5)),
  ),
  'Idempotent-Replayed': header('Present on a replay, which changes nothing.', 'true', word('true')),
  'X-Original-Request-Id': header("Present on a replay: the original request's id.", EXAMPLE_IDS.request, requestId),
};

export type OwnHeader = keyof typeof OWN;

const ref = (name: string) => [name, { $ref: `#/components/headers/${name}` }];

/** Headers that are not required, because only replays have them. */
const OPTIONAL: readonly string[] = ['Idempotent-Replayed', 'X-Original-Request-Id'];

/** Returns the headers for the `components` section of the document. */
export function componentHeaders(): Json {
  const all = Object.entries({ ...COMMON, ...OWN });
  return Object.fromEntries(all.map(([name, one]) => [name, { ...one, required: !OPTIONAL.includes(name) }]));
}

/** Returns references to the headers that every response has, and to the headers in `own`. */
export function responseHeaders(own: readonly OwnHeader[] = []): Json {
  return Object.fromEntries([...Object.keys(COMMON), ...own].map(ref));
}
