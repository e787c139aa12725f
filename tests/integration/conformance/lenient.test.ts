import { expect, test } from 'vitest';
import { independentSlots } from '@/scripts/conformance/world';
import { makeBusiness } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';
import { repeats } from '@/tests/support/soak';
import { conformance } from './run';
import { type Leniency, type Request, type Response, saboteur } from './saboteur';

const TIMEOUT = 300_000;

const unchanged = (answer: Response) => answer;
const failedOf = (result: Awaited<ReturnType<typeof conformance>>['result']) =>
  result?.checks.filter(({ passed }) => !passed) ?? [];

/** Removes a duplicate field from a JSON body, so that only its last value remains. Some parsers do the same. */
function withoutDuplicates({ headers, body }: Request): Request {
  if ((body.match(/"date":/g) ?? []).length < 2) return { headers, body };
  return { headers, body: JSON.stringify(JSON.parse(body)) };
}

const LENIENT: [string, Leniency][] = [
  ['malformed JSON', ({ headers, body }) => ({ headers, body: body.replace(/,}$/, '}') })],
  ['a duplicate key', withoutDuplicates],
  [
    'another content type',
    ({ headers, body }) => ({
      headers: headers['content-type'] === 'text/plain' ? { ...headers, 'content-type': 'application/json' } : headers,
      body,
    }),
  ],
  ['a body of more than 16 KiB', ({ headers, body }) => ({ headers, body: body.trim() })],
];

// `npm test` runs the suite only against a server with all four faults, because each run takes seconds.
const SERVERS = [LENIENT, ...LENIENT.map((one) => [one])].slice(0, repeats(1, 1 + LENIENT.length));

for (const faults of SERVERS) {
  test(
    `it finds that a server accepts ${faults.map(([what]) => what).join(', ')}, and no other problem with its refusals`,
    async () => {
      const { key } = await makeBusiness();
      const lenient: Leniency = (request) => faults.reduce((sent, [, change]) => change(sent), request);
      const stub = await saboteur(sharedServer().origin, unchanged, lenient);
      const { code, result } = await conformance(['--base-url', stub.origin, '--key', key]);
      await stub.stop();
      // The proxy (`saboteur`) rejects headers of 40 KB and normalizes paths, so other scenarios fail too. The test
      // therefore looks at only one scenario.
      const failed = failedOf(result).filter(({ scenario }) => scenario === 'Refusing an invalid booking');
      expect(failed.map(({ section, title }) => [section, title]).sort()).toEqual(
        faults.map(([what]) => ['B3', `${what} gets a 400`]).sort(),
      );
      expect(code).toBe(1);
    },
    TIMEOUT,
  );
}

test(
  'an aborted scenario reports the title and the section of the failed step',
  async () => {
    const { key } = await makeBusiness();
    const stub = await saboteur(sharedServer().origin, (answer) =>
      answer.status === 201 ? { ...answer, body: answer.body.replace('"version":1', '"version":"1"') } : answer,
    );
    const { code, output, result } = await conformance(['--base-url', stub.origin, '--key', key]);
    await stub.stop();
    expect(code).toBe(1);
    const scenarios = failedOf(result).filter(({ title }) => title === 'an available slot can be booked');
    expect(scenarios.map(({ section }) => section)).toEqual(['B7', 'B7', 'B7', 'B7']);
    expect(output).toContain('data does not match the contract: booking.version');
    expect(output).not.toMatch(/assert\.|=>/);
  },
  TIMEOUT,
);

test('a key without the scopes, another kind of server, and a missing document end the run with a message', async () => {
  const { origin } = sharedServer();
  const [reader, full] = [await makeBusiness({ scopes: ['catalog.read', 'availability.read'] }), await makeBusiness()];
  const page = await saboteur(origin, (answer) => ({ ...answer, body: '<p>Hello</p>' }));
  const cases: [string[], string][] = [
    [['--base-url', origin, '--key', reader.key], 'scopes that the key lacks: booking.create, booking.manage.'],
    [['--base-url', page.origin, '--key', full.key], 'is not a catalog'],
    [
      ['--base-url', origin, '--key', full.key, '--hostile', '--openapi', `${origin}/nothing.json`],
      `There is no OpenAPI document at ${origin}/nothing.json. Set its URL with --openapi.`,
    ],
  ];
  for (const [args, words] of cases) {
    const { code, output, result } = await conformance(args);
    expect([code, result, output.match(/^ {2}(ok|FAILED)/m)]).toEqual([2, null, null]);
    expect(output.trim().split('\n').at(-1)).toContain(words);
  }
  await page.stop();
});

test('independent slots do not touch each other', () => {
  const at = (minutes: number) => new Date(Date.UTC(2030, 0, 1, 8, minutes)).toISOString();
  const slots = Array.from({ length: 32 }, (_, i) => ({ starts_at: at(i * 15), ends_at: at(i * 15 + 60) }));
  expect(independentSlots(slots).map(({ starts_at }) => starts_at)).toEqual([0, 120, 240, 360].map(at));
});
