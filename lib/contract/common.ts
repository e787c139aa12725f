import { parse } from 'bcp-47';
import { z } from 'zod';
import { boundedText, cutText } from './bounded-text';
import { CLOCK_TIME, CURSOR, idPattern, LANGUAGE_TAG, MAX_RECORDS, REFERENCE_PATTERN, shaped, TOKEN } from './text';

/**
 * The scopes that an owner can grant to a partner's application (contract A). An application needs `webhooks.manage` to have a
 * webhook endpoint.
 */
export const SCOPES = [
  'catalog.read',
  'availability.read',
  'booking.create',
  'booking.manage',
  'webhooks.manage',
] as const;

/** The scope of own systems, which an owner cannot grant to a partner (contract B15). */
export const OWN_SYSTEM_SCOPE = 'busy.write';

export type PartnerScope = (typeof SCOPES)[number];

export type Scope = PartnerScope | typeof OWN_SYSTEM_SCOPE;

/** Well-formed ids for examples. No record has one of these ids. */
export const EXAMPLE_IDS = {
  service: 'svc_01jd8x4t5wf3rbq0zk6m7n8p9q',
  location: 'loc_01jd8x4t5wf3rbq0zk6m7n8p9r',
  specialist: 'spc_01jd8x4t5wf3rbq0zk6m7n8p9s',
  event: 'evt_01jd8x4t5wf3rbq0zk6m7n8p9t',
  request: 'req_01jd8x4t5wf3rbq0zk6m7n8p9v',
  application: 'app_01jd8x4t5wf3rbq0zk6m7n8p9w',
  booking: 'pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a',
} as const;

type Kind = keyof typeof EXAMPLE_IDS;

function idShape(kind: Kind) {
  const example = EXAMPLE_IDS[kind];
  const pattern = kind === 'booking' ? REFERENCE_PATTERN : idPattern(example.slice(0, 3));
  return shaped(pattern, example.length, example.length);
}

/**
 * A record's id in a request. Any text is accepted, because malformed ids, unknown ids, and ids of another tenant must
 * all result in the same 404 (contract B3). The OpenAPI document states the format.
 */
export const recordId = cutText(256);

/** Returns the schema of a record's id in a request. Like `recordId`, it does not check the format. */
export const idOf = (kind: Kind, description: string) =>
  recordId.meta({ ...idShape(kind), description, examples: [EXAMPLE_IDS[kind]] });

/** Returns the schema of a record's id in a response (contract B1). */
export const issuedId = (kind: Kind) =>
  z.string().meta({ ...idShape(kind), description: `Id of the ${kind}.`, examples: [EXAMPLE_IDS[kind]] });

/** Returns the schema of a list of ids in a response. */
export const issuedIds = (kind: Kind, description: string) =>
  z
    .array(z.string().meta(idShape(kind)))
    .max(MAX_RECORDS)
    .meta({ description, examples: [[EXAMPLE_IDS[kind]]] });

/**
 * Returns the schema of an optional body field. `null` counts as absent, because Go and PHP clients send `null` for a
 * field without a value (contract B3).
 */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** Returns the error message for a required field: `is required` if it is absent or `null`, otherwise `message` (contract B1). */
export const requiredOr = (message: string) => (issue: { input?: unknown }) =>
  issue.input === undefined || issue.input === null ? 'is required' : message;

/**
 * Returns the schema of `limit` (contract A, Paging): a number from 1 to `max` in ASCII digits. Rejects `1e3`, `-1`,
 * and digits of other writing systems.
 */
export function limitParameter(max: number, fallback: number) {
  const message = `must be a whole number from 1 to ${max}`;
  return boundedText(3, message)
    .regex(/^[0-9]{1,3}$/, message)
    .transform(Number)
    .pipe(z.int().min(1, message).max(max, message))
    .default(fallback)
    .meta({ description: `Records per page, 1 to ${max}.`, examples: [fallback] });
}

/**
 * A cursor from the previous page. The schema accepts any text, so that the routes can refuse an invalid cursor with
 * the reason `cursor_mismatch`.
 */
export const cursorParameter = cutText(CURSOR.maxLength + 1).meta({
  ...CURSOR,
  description: 'The `next_cursor` of the previous page. Valid only for the same query, but `limit` may differ.',
  examples: ['c4Fh2kQv8mXw0pTz1bYs3gAXN2Y18wMWpkOHg0dDV3'],
});

/** The cursor of the next page, or null on the last page. */
export const nextCursor = z
  .string()
  .meta(CURSOR)
  .nullable()
  .meta({
    description: 'Opaque cursor for the next page. Null on the last page.',
    examples: [null],
  });

/** For examples. No answer has this token. */
export const EXAMPLE_TOKEN = 'k3Vd0Qm8sXw2pTz1bYs4gAXN2Y18wMWp';

/**
 * A token that the answer must not be older than (contract B17). The schema accepts any text, because malformed tokens and
 * those of another tenant must result in the same 400.
 */
export const minTokenParameter = cutText(TOKEN.maxLength + 1).meta({
  ...TOKEN,
  description:
    'A `token` from an earlier response or an event: the response is not older than it, whichever server sends it. Only tokens of the same business.',
  examples: [EXAMPLE_TOKEN],
});

/** The token of an answer (contract B17). */
export const answerTokenField = z
  .string()
  .meta(TOKEN)
  .meta({
    description:
      'Stands for this answer to this query: it changes when, and only when, the answer changes. Equal to the value of `ETag`.',
    examples: [EXAMPLE_TOKEN],
  });

/** The token of a thin event (contract B17). */
export const eventToken = z
  .string()
  .meta(TOKEN)
  .meta({
    description:
      'Send it as `min_token`: the response is then not older than the change, whichever server sends it. It is not an `ETag`.',
    examples: [EXAMPLE_TOKEN],
  });

/** A BCP 47 language tag. Underscores, as in `de_DE`, are treated as hyphens (contract B4). */
export const localeParameter = boundedText(LANGUAGE_TAG.maxLength, 'must be a BCP 47 language tag')
  .overwrite((tag) => tag.replaceAll('_', '-'))
  .refine(isLanguageTag, 'must be a BCP 47 language tag')
  .meta({
    ...LANGUAGE_TAG,
    description:
      'BCP 47 language tag; `de_DE` is read as `de-DE`. Takes precedence over `Accept-Language`. Unsupported languages, and words that are no tag of a language, such as `german`, fall back to the default: `Content-Language` states what you get.',
    examples: ['de'],
  });

/** Does not use `Intl`, which rejects valid tags such as `zh-yue-HK` and `i-klingon`. */
function isLanguageTag(value: string): boolean {
  const { language, irregular, regular, privateuse } = parse(value);
  return Boolean(language || irregular || regular || privateuse.length > 0);
}

/** The metadata in every success and error body (contract A). */
export const meta = z.strictObject({
  request_id: boundedText(30)
    .regex(new RegExp(idPattern('req')))
    .meta({ description: 'Equal to the `X-Request-Id` header.', examples: [EXAMPLE_IDS.request] }),
  version: z.literal('v1').meta({ description: 'The API version.' }),
});

const isCalendarDate = (value: string) => {
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
};

/** A date that exists in the calendar, as `YYYY-MM-DD` (contract B1). */
export const calendarDate = boundedText(10, 'must be a date, YYYY-MM-DD', requiredOr('must be text'))
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, 'must be a date, YYYY-MM-DD')
  .refine(isCalendarDate, 'must be an existing date')
  .meta({
    format: 'date',
    description: "Date in the location's time zone, `YYYY-MM-DD`.",
    examples: ['2026-09-14'],
  });

/** A date with which the database can compare. PostgreSQL has no year 0. */
export const storedDate = calendarDate.refine((date) => !date.startsWith('0000'), 'must be an existing date');

/** A wall-clock time, as `HH:MM` (contract B1). */
export const clockTime = boundedText(5, 'must be a time, HH:MM', requiredOr('must be text'))
  .regex(new RegExp(CLOCK_TIME.pattern), 'must be a time, HH:MM')
  .meta({
    ...CLOCK_TIME,
    description: "Wall-clock time in the location's time zone, `HH:MM` in 24 hours.",
    examples: ['09:30'],
  });

/** Returns the number of days between two dates, negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
