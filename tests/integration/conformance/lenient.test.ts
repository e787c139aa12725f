import { expect, test } from 'vitest';
import { notTouching } from '@/scripts/conformance/world';
import { makeBusiness } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';
import { conformance } from './run';
import { type Asked, type Leniency, type Passing, saboteur } from './saboteur';

const PATIENCE = 300_000;

const untouched = (answer: Passing) => answer;
const failedOf = (result: Awaited<ReturnType<typeof conformance>>['result']) =>
  result?.checks.filter(({ passed }) => !passed) ?? [];

/** A body that is sent without its duplicate key, as a reader does that takes the last. */
function withoutTwins({ headers, body }: Asked): Asked {
  if ((body.match(/"date":/g) ?? []).length < 2) return { headers, body };
  return { headers, body: JSON.stringify(JSON.parse(body)) };
}

const LENIENT: [string, Leniency][] = [
  ['malformed JSON', ({ headers, body }) => ({ headers, body: body.replace(/,}$/, '}') })],
  ['a duplicate key', withoutTwins],
  [
    'another content type',
    ({ headers, body }) => ({
      headers: headers['content-type'] === 'text/plain' ? { ...headers, 'content-type': 'application/json' } : headers,
      body,
    }),
  ],
  ['more than 16 KiB', ({ headers, body }) => ({ headers, body: body.trim() })],
];

for (const [what, lenient] of LENIENT) {
  test(
    `it finds a server that accepts ${what}, and nothing else wrong with its refusals`,
    async () => {
      const { key } = await makeBusiness();
      const stub = await saboteur(sharedServer().origin, untouched, lenient);
      const { code, result } = await conformance(['--base-url', stub.origin, '--key', key]);
      await stub.stop();
      // The stub itself takes no header of 40 KB and tidies paths, so other scenarios find what is wrong with the stub.
      const failed = failedOf(result).filter(({ scenario }) => scenario === 'A bad booking is refused');
      expect(failed.map(({ section, title }) => [section, title])).toEqual([['B3', `${what} is a 400`]]);
      expect(code).toBe(1);
    },
    PATIENCE,
  );
}

test(
  'a scenario that cannot go on says so in the words and the section of what failed',
  async () => {
    const { key } = await makeBusiness();
    const stub = await saboteur(sharedServer().origin, (answer) =>
      answer.status === 201 ? { ...answer, body: answer.body.replace('"version":1', '"version":"1"') } : answer,
    );
    const { code, output, result } = await conformance(['--base-url', stub.origin, '--key', key]);
    await stub.stop();
    expect(code).toBe(1);
    const scenarios = failedOf(result).filter(({ title }) => title === 'a free slot can be booked');
    expect(scenarios.map(({ section }) => section)).toEqual(['B7', 'B7', 'B7']);
    expect(output).toContain('data is not as the contract says: booking.version');
    expect(output).not.toMatch(/assert\.|=>/);
  },
  PATIENCE,
);

test('a key without the scopes, an address of something else and a missing document end the run with a sentence', async () => {
  const { origin } = sharedServer();
  const [reader, full] = [await makeBusiness({ scopes: ['catalog.read', 'availability.read'] }), await makeBusiness()];
  const page = await saboteur(origin, (answer) => ({ ...answer, body: '<p>Hello</p>' }));
  const cases: [string[], string][] = [
    [['--base-url', origin, '--key', reader.key], 'scopes that the key lacks: booking.create, booking.manage.'],
    [['--base-url', page.origin, '--key', full.key], 'is not this API'],
    [
      ['--base-url', origin, '--key', full.key, '--hostile', '--openapi', `${origin}/nothing.json`],
      'There is no OpenAPI document where --openapi says.',
    ],
  ];
  for (const [args, words] of cases) {
    const { code, output, result } = await conformance(args);
    expect([code, result, output.match(/^ {2}(ok|FAILED)/m)]).toEqual([2, null, null]);
    expect(output.trim().split('\n').at(-1)).toContain(words);
  }
  await page.stop();
});

test('slots that are taken for independent do not touch each other', () => {
  const at = (minutes: number) => new Date(Date.UTC(2030, 0, 1, 8, minutes)).toISOString();
  const slots = Array.from({ length: 32 }, (_, i) => ({ starts_at: at(i * 15), ends_at: at(i * 15 + 60) }));
  expect(notTouching(slots).map(({ starts_at }) => starts_at)).toEqual([0, 120, 240, 360].map(at));
});
