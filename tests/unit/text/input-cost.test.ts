import type { AnyProcedure } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkKeyFormat } from '@/lib/access/applications/key-format';
import { parseNetwork } from '@/lib/access/applications/networks';
import { isOrigin } from '@/lib/access/applications/origins';
import { emailAddress } from '@/lib/access/owners/email';
import { isToken } from '@/lib/access/owners/link-token';
import { passwordProblem } from '@/lib/access/owners/password-rules';
import { refusalOf } from '@/lib/activity/mail/unsubscribe';
import { documentSchema } from '@/lib/booking/catalog/transfer/document';
import { parseIdempotencyKey } from '@/lib/booking/idempotency/once';
import { requestError } from '@/lib/contract/errors/request-error';
import { OPERATIONS } from '@/lib/contract/operations';
import { appRouter } from '@/lib/control-center/trpc/router';
import { auditFilterFields } from '@/lib/control-center/trpc/routers/audit';
import { requestFilterFields } from '@/lib/control-center/trpc/routers/requests';
import { VIEW_QUERIES } from '@/lib/control-center/views/query';
import { clientAddress } from '@/lib/http/edge/exchange';
import { ownCookies } from '@/lib/http/edge/headers';
import { readCursor } from '@/lib/http/partner-api/cursor';
import { resolveLocale } from '@/lib/http/partner-api/locale';
import { parseQuery, readText, validate } from '@/lib/http/partner-api/request';
import { readHeader, readSection } from '@/lib/operations/backup/format';
import { parseDirectory } from '@/lib/operations/cells';
import { setupBody } from '@/lib/operations/setup';
import { parseExportHeader, parseSignature } from '@/lib/operations/tenants/export-format';
import { parseSettings, SETTING_NAMES } from '@/lib/platform/env';
import { loggableMessage } from '@/lib/platform/loggable';
import { withoutSecrets } from '@/lib/platform/redact';
import { nameProblem, trimName } from '@/lib/platform/text/name';
import { containsSecret } from '@/lib/platform/text/secret';
import { findUnstorable } from '@/lib/platform/text/storable';
import { checkUrl } from '@/lib/webhooks/url';
import { parseCommand } from '@/scripts/tenant/command';
import { SOAK } from '@/tests/support/soak';
import { type Place, placesIn, textPlaces, unboundedTexts } from '@/tests/support/text-places';

/** Bytes of a hostile text. It is longer than the limit of every text. */
const SIZE = 250_000;
/** Maximum processor time, in milliseconds, of one input that exceeds its limit. */
const MAX_CPU = 20;

const LANGUAGES = { locales: ['en', 'de'], defaultLocale: 'en' };

/** All characters that Unicode or JavaScript calls a space, and the invisible ones that a name is trimmed of. */
const BLANKS = Array.from({ length: 0x11_0000 }, (_, code) => code)
  // Of the 4,096 reserved tag characters, one stands for all.
  .filter((code) => (code < 0xd800 || code > 0xdfff) && (code < 0xe_0002 || code > 0xe_0fff))
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /[\s\p{Z}\p{Default_Ignorable_Code_Point}]/u.test(character));

/** Kinds that code trims in different ways. `npm run test:soak` tries all, and all shapes. */
const USUAL_BLANKS = [...' \n\u00a0\u200b\u{e0001}'];

const many = (part: string, size: number) => part.repeat(Math.floor(size / Buffer.byteLength(part)));

type Shape = (size: number) => string;

const SHAPES: [name: string, shape: Shape][] = [
  ...(SOAK ? BLANKS : USUAL_BLANKS).map((blank): [string, Shape] => [
    `U+${blank.codePointAt(0)?.toString(16)}`,
    (size) => `x${many(blank, size)}x`,
  ]),
  ...(SOAK ? ['[', '{', '(', '{"a":', '[[],', '"', "'", '\\', '<'] : ['[', '{"a":', '"', '\\']).map(
    (part): [string, Shape] => [part, (size) => many(part, size)],
  ),
  ...(SOAK
    ? ['a', '1', '-', '_', '.', '/', '@', '=', ',', ';', ':', '%', '+', 'a.', 'a@', 'a-', 'e\u0301', '‘', '=(']
    : ['a', '1', '-', ',', 'a.', 'a@', 'e\u0301']
  ).map((part): [string, Shape] => [`${part} and !`, (size) => `${many(part, size)}!`]),
];

let latest = { text: '', encoded: '' };

/** Returns a percent-encoded text, which the inputs that get the same text one after another share. */
function encoded(text: string): string {
  if (latest.text !== text) latest = { text, encoded: encodeURIComponent(text) };
  return latest.encoded;
}

type Input = { name: string; take: (text: string) => unknown };

/** Runs `take` and ignores the error with which it refuses the text. */
async function cpuOf(take: Input['take'], text: string): Promise<number> {
  const before = process.cpuUsage();
  try {
    await take(text);
  } catch {
    // Every refusal is right. Only its cost matters.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns the processor time of an input: the least of a few attempts, because other work in this process counts too. */
async function leastCpuOf(take: Input['take'], text: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5 && least > MAX_CPU / 2; attempt += 1)
    least = Math.min(least, await cpuOf(take, text));
  return least;
}

let worst = { cpu: 0, name: '' };
let count = 0;

/** Sends texts of each shape to each input. Sends short texts first, so that a quadratic cost is found in time. */
async function expectCheap(inputs: Input[]): Promise<void> {
  expect(inputs).not.toEqual([]);
  for (const { take } of inputs) await cpuOf(take, 'warm-up');
  for (const size of [10_000, SIZE])
    for (const [shape, make] of SHAPES) {
      const text = make(size);
      encoded(text);
      for (const { name, take } of inputs) {
        const cpu = await leastCpuOf(take, text);
        count += 1;
        if (cpu > worst.cpu) worst = { cpu, name: `${name}, ${size} bytes of ${shape}` };
        expect(cpu, `CPU milliseconds of ${name}, ${size} bytes of ${shape}`).toBeLessThan(MAX_CPU);
      }
    }
}

const inputsOf = (name: string, places: Place[], take: (value: unknown) => unknown): Input[] =>
  places.map(({ path, build }) => ({ name: `${name}: ${path}`, take: (text) => take(build(text)) }));

/** Validates a value as the routes do, and creates the error of the response. */
function refuse(schema: z.ZodType, value: unknown): void {
  const parsed = schema.safeParse(value);
  if (!parsed.success) requestError(parsed.error);
}

const PROCEDURES = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>)
  .flatMap(([name, { _def }]) => _def.inputs.flatMap((input) => (input instanceof z.ZodType ? [{ name, input }] : [])))
  .concat(
    { name: 'export of requests', input: z.strictObject(requestFilterFields) },
    { name: 'export of the audit log', input: z.strictObject(auditFilterFields) },
  );

const FORMS: [string, z.ZodType][] = [['setup', setupBody], ['email', emailAddress], ...Object.entries(VIEW_QUERIES)];

const BODIES = OPERATIONS.flatMap(({ id, body }) => (body ? [{ id, body }] : []));

const HOURS = [{ weekday: 1, opens: '09:00', closes: '12:00' }];
const EXCEPTIONS = [{ date: '2026-12-24', hours: [{ opens: '09:00', closes: '12:00' }], note: 'Short' }];
const TEXTS = { en: 'A text', de: 'Ein Text' };

/** A catalog in which every text field has a value. */
const CATALOG = {
  format: 'partner-booking-catalog/1',
  locations: [
    {
      id: 'harbour',
      published: true,
      name: TEXTS,
      address: { line1: '2 Example Quay', city: 'Hamburg', postal_code: '20457', country: 'DE' },
      time_zone: 'Europe/Berlin',
      phone: '+49 40 5550 1234',
      hours: HOURS,
      exceptions: EXCEPTIONS,
    },
  ],
  services: [
    {
      id: 'massage',
      published: true,
      name: TEXTS,
      description: TEXTS,
      category: TEXTS,
      duration_minutes: 60,
      slot_interval_minutes: 15,
      price: { amount: 8900, currency: 'EUR' },
      max_advance_days: 90,
    },
  ],
  specialists: [
    {
      id: 'kim',
      published: true,
      display_name: 'Kim Beispiel',
      title: TEXTS,
      description: TEXTS,
      image_url: 'https://images.example/kim.png',
      workplaces: [{ location_id: 'harbour', service_ids: ['massage'], hours: HOURS, exceptions: EXCEPTIONS }],
      breaks: HOURS,
      time_off: [{ from: '2027-01-01T00:00', to: '2027-01-08T00:00' }],
    },
  ],
};

const DIRECTORY = {
  home: 'aaaa',
  cells: { aaaa: ['10.0.0.1:3000'] },
  keys: { pbk_test_abcdefghijkl: 'aaaa' },
};

/** Lines of a file that has only this line. */
const fileOf = (line: string) => ({ next: async () => Buffer.from(line), close: () => {}, digest: () => '' });

const OPTIONS = ['name', 'time-zone', 'languages', 'owner'];
const LIMITS = ['applications', 'locations', 'requests-per-minute'];
const TENANT = 'ten_01jd8x4t5wf3rbq0zk6m7n8p9q';
const scope = { applicationId: 'app', operation: 'listBookings', filters: [] };
const resolve = () => Promise.reject(new Error('No name is looked up.'));

const SECRET_KEY = process.env.SECRET_KEY;
beforeAll(() => {
  process.env.SECRET_KEY ??= 'a-secret-key-of-the-tests-of-inputs';
  process.env.DATABASE_URL ??= 'postgresql://localhost/none';
});
afterAll(() => {
  if (SECRET_KEY === undefined) delete process.env.SECRET_KEY;
  console.log(`${count} inputs; the most expensive: ${worst.cpu.toFixed(1)} ms, ${worst.name}`);
});

test('the list of blanks has all kinds', () => {
  expect(BLANKS.length).toBeGreaterThan(60);
  expect(BLANKS).toEqual(expect.arrayContaining(USUAL_BLANKS));
});

describe('every text is bounded before it is checked or changed', () => {
  test.for(PROCEDURES.map(({ name, input }) => [name, input] as const))('procedure %s', ([, input]) => {
    expect(unboundedTexts(input)).toEqual([]);
  });

  test.for([
    ...FORMS,
    ...OPERATIONS.map(({ id, query }) => [`query of ${id}`, query] as const),
    ...BODIES.map(({ id, body }) => [`body of ${id}`, body] as const),
    ['catalog', documentSchema(LANGUAGES)] as const,
  ])('%s', ([, schema]) => {
    expect(unboundedTexts(schema)).toEqual([]);
  });
});

describe('a text over its limit costs less than 20 ms of processor time', () => {
  test('procedures of the Control Center', async () => {
    await expectCheap(
      PROCEDURES.flatMap(({ name, input }) => inputsOf(name, textPlaces(input), (value) => refuse(input, value))),
    );
  });

  test('forms and saved views', async () => {
    await expectCheap(
      FORMS.flatMap(([name, schema]) => inputsOf(name, textPlaces(schema), (value) => refuse(schema, value))),
    );
  });

  test('queries, bodies, and headers of the partner API', async () => {
    const headers = (name: string, take: (text: string) => unknown) => ({ name: `header ${name}`, take });
    const unread = () => Promise.resolve(new Uint8Array());
    await expectCheap([
      ...OPERATIONS.flatMap(({ id, query }) =>
        Object.keys(query.shape).map((name) => ({
          name: `query of ${id}: ${name}`,
          take: (text: string) => parseQuery(`${name}=${encoded(text)}`, query),
        })),
      ),
      { name: 'name of a parameter', take: (text) => parseQuery(text, z.strictObject({})) },
      ...BODIES.flatMap(({ id, body }) =>
        inputsOf(`body of ${id}`, textPlaces(body), (value) => validate(value, body)),
      ),
      headers('authorization', checkKeyFormat),
      headers('idempotency-key', parseIdempotencyKey),
      headers('accept-language', (text) => resolveLocale(LANGUAGES, undefined, text)),
      headers('content-type', (text) => readText({ headers: { 'content-type': text }, readBytes: unread })),
      headers('content-type with a character set', (text) =>
        readText({ headers: { 'content-type': `application/json;${text}` }, readBytes: unread }),
      ),
      headers('content-encoding', (text) =>
        readText({ headers: { 'content-type': 'application/json', 'content-encoding': text }, readBytes: unread }),
      ),
      headers('x-forwarded-for', (text) => clientAddress('127.0.0.1', text, 2)),
      headers('cookie', (text) => ownCookies(text, new Set(['session']))),
      { name: 'cursor', take: (text) => readCursor(scope, text) },
    ]);
  });

  test('catalogs', async () => {
    const schema = documentSchema(LANGUAGES);
    expect(schema.safeParse(CATALOG).success).toBe(true);
    await expectCheap(inputsOf('catalog', placesIn(CATALOG), (value) => refuse(schema, value)));
  });

  test('files of backups, tenants, and cells', async () => {
    await expectCheap([
      ...['', '-- partner-booking backup ', '-- partner-booking backup {"format":"'].map((start) => ({
        name: `header of a backup: ${start}`,
        take: (text: string) => readHeader('file', fileOf(start + text)),
      })),
      ...['', 'COPY "', 'COPY "bookings" ("id", "', '-- end '].map((start) => ({
        name: `section of a backup: ${start}`,
        take: (text: string) => readSection('file', fileOf(start + text)),
      })),
      ...['', '-- partner-booking tenant ', '{"partner_booking_tenant":'].map((start) => ({
        name: `header of an export: ${start}`,
        take: (text: string) => parseExportHeader(Buffer.from(start + text)),
      })),
      { name: 'signature', take: (text) => parseSignature(false, Buffer.from(`-- signature ${text}`)) },
      { name: 'signature of a readable export', take: (text) => parseSignature(true, Buffer.from(text)) },
      ...inputsOf('directory of cells', placesIn(DIRECTORY), (value) => parseDirectory(JSON.stringify(value))),
    ]);
  });

  test('settings and commands', async () => {
    await expectCheap([
      ...SETTING_NAMES.map((name) => ({ name, take: (text: string) => parseSettings({ [name]: text }) })),
      ...OPTIONS.map((name) => ({
        name: `--${name}`,
        take: (text: string) => parseCommand(['add', `--${name}`, text]),
      })),
      ...LIMITS.map((name) => ({
        name: `--${name}`,
        take: (text: string) => parseCommand(['limit', TENANT, `--${name}`, text]),
      })),
      ...['--directory', '--to'].map((name) => ({
        name,
        take: (text: string) => parseCommand(['move', TENANT, name, text]),
      })),
      { name: '--signer', take: (text) => parseCommand(['verify', 'file', '--signer', text]) },
      { name: 'tenant', take: (text) => parseCommand(['suspend', text]) },
    ]);
  });

  test('single functions', async () => {
    await expectCheap([
      { name: 'name', take: (text) => nameProblem(trimName(text), 200) },
      { name: 'secret', take: containsSecret },
      { name: 'text to store', take: (text) => findUnstorable({ [text]: { text } }, 'stored') },
      { name: 'password', take: (text) => passwordProblem(text, []) },
      { name: 'token of a link or a calendar feed', take: isToken },
      { name: 'token that refuses mails', take: (text) => refusalOf(`${TENANT}.overlaps.${text}`) },
      { name: 'origin', take: (text) => isOrigin(`https://${text}`) },
      { name: 'network', take: parseNetwork },
      { name: 'URL of a webhook', take: (text) => checkUrl(`https://${text}`, { allowLoopback: false, resolve }) },
      { name: 'message of an error', take: (text) => loggableMessage(text) },
      { name: 'line of the log', take: withoutSecrets },
    ]);
  });
});
