import { parse } from 'bcp-47';
import { z } from 'zod';

/** The scopes an owner can give an application (contract A). `webhooks.manage` has no route. */
export const SCOPES = [
  'catalog.read',
  'availability.read',
  'booking.create',
  'booking.manage',
  'webhooks.manage',
] as const;

/** A scope of the public API. */
export type Scope = (typeof SCOPES)[number];

/** Ids as the documentation shows them: well-formed, and nobody's. */
export const EXAMPLE_IDS = {
  service: 'svc_01jd8x4t5wf3rbq0zk6m7n8p9q',
  location: 'loc_01jd8x4t5wf3rbq0zk6m7n8p9r',
  specialist: 'spc_01jd8x4t5wf3rbq0zk6m7n8p9s',
  event: 'evt_01jd8x4t5wf3rbq0zk6m7n8p9t',
  request: 'req_01jd8x4t5wf3rbq0zk6m7n8p9v',
  booking: 'pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a',
} as const;

/** Text that names a record. Whether it is written like an id, exists, and is the tenant's is one 404 (contract B3). */
export const recordId = z.string();

/** Returns the schema of a record's id in a request, with an example; its form is not part of it (`recordId`). */
export const idOf = (kind: keyof typeof EXAMPLE_IDS, description: string) =>
  recordId.meta({ description, examples: [EXAMPLE_IDS[kind]] });

/** Returns the schema of a record's id in a response (contract B1). */
export const issuedId = (kind: keyof typeof EXAMPLE_IDS) =>
  z.string().meta({ description: `Id of the ${kind}.`, examples: [EXAMPLE_IDS[kind]] });

/**
 * Returns the schema of `limit` (contract A, Paging): ASCII digits, 1..max, with a default.
 * `1e3`, `-1` and digits of other scripts are not numbers here.
 */
export function limitParameter(max: number, fallback: number) {
  const message = `must be a whole number from 1 to ${max}`;
  return z
    .string()
    .regex(/^[0-9]{1,3}$/, message)
    .transform(Number)
    .pipe(z.int().min(1, message).max(max, message))
    .default(fallback)
    .meta({ description: `Records per page, 1 to ${max}.`, examples: [fallback] });
}

/** An opaque cursor of an earlier page. Every bad one is `cursor_mismatch`, so its form is not checked here. */
export const cursorParameter = z.string().meta({
  description: 'The `next_cursor` of the page before. Valid only for the query that produced it; `limit` may change.',
  examples: ['AXN2Y18wMWpkOHg0dDV3.c4Fh2kQv8mXw0pTz1bYs3g'],
});

/** The cursor of a page's end. */
export const nextCursor = z
  .string()
  .nullable()
  .meta({
    description: 'Opaque cursor of the next page; null on the last one.',
    examples: [null],
  });

/** A BCP 47 language tag (contract B4). */
export const localeParameter = z
  .string()
  .max(100, { message: 'must be a BCP 47 language tag', abort: true })
  .refine(isLanguageTag, 'must be a BCP 47 language tag')
  .meta({
    description: 'BCP 47 language tag. Wins over `Accept-Language`; an unsupported language falls back to the default.',
    examples: ['de'],
  });

/** Well-formed by RFC 5646, which knows more than JavaScript does: `zh-yue-HK`, `i-klingon`. */
function isLanguageTag(value: string): boolean {
  const { language, irregular, regular, privateuse } = parse(value);
  return Boolean(language || irregular || regular || privateuse.length > 0);
}

/** The part of every success and error body that names the request (contract A). */
export const meta = z.strictObject({
  request_id: z
    .string()
    .regex(/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
    .meta({ description: 'Equal to the header `X-Request-Id`.', examples: [EXAMPLE_IDS.request] }),
  version: z.literal('v1').meta({ description: 'Version of the API.' }),
});

const isCalendarDate = (value: string) => {
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
};

/** A date that exists, `YYYY-MM-DD` (contract B1). */
export const calendarDate = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be text') })
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/, 'must be a date, YYYY-MM-DD')
  .refine(isCalendarDate, 'must be a date that exists')
  .meta({ format: 'date', description: 'Date in the zone of the location.', examples: ['2026-09-14'] });

/** A wall-clock time, `HH:MM` (contract B1). */
export const clockTime = z
  .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be text') })
  .regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a time, HH:MM')
  .meta({ description: 'Wall-clock time in the zone of the location.', examples: ['09:30'] });

/** Returns the days from one date to another; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
