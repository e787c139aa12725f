import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeFindings, ok, runChecks, type Severity, warning } from '@/lib/operations/doctor/findings';
import { checkDisk, checkNode, checkSettings, exposure, validSettings } from '@/lib/operations/doctor/machine';
import { parseSettings } from '@/lib/platform/env';
import { expectFound } from '@/tests/support/findings';

const CLOSED = 'postgresql://someone:hidden@127.0.0.1:1/none';

describe('settings', () => {
  test.each<[string, Record<string, string>, Severity, string]>([
    ['are valid', {}, 'ok', 'The settings are valid (TEST).'],
    ['with a wrong value', { PORT: 'x' }, 'wrong', 'PORT must be a number'],
    ['that need each other', { SECRET_KEY_PREVIOUS: 'y'.repeat(32) }, 'wrong', 'Missing setting: SECRET_KEY.'],
    ['of LIVE without an origin', { ENVIRONMENT: 'LIVE' }, 'warning', 'PUBLIC_ORIGIN is not set'],
    [
      'of LIVE on all addresses',
      { ENVIRONMENT: 'LIVE' },
      'warning',
      'listens on all addresses, and TRUSTED_PROXIES is 0',
    ],
    ['of LIVE on an address', { ENVIRONMENT: 'LIVE', HOST: '10.0.0.1' }, 'warning', 'listens on 10.0.0.1'],
    ['behind a proxy', { PUBLIC_ORIGIN: 'https://booking.example' }, 'warning', 'TRUSTED_PROXIES is 0'],
  ])('%s', async (_, source, severity, text) => {
    await expectFound(checkSettings(source), severity, text);
  });

  test('of TEST, behind a proxy, and on loopback may listen', () => {
    const live = ['127.0.0.1', '127.0.0.53', 'localhost', '::1'].map((HOST) => ({ ENVIRONMENT: 'LIVE', HOST }));
    const proxied = { ENVIRONMENT: 'LIVE', TRUSTED_PROXIES: '1' };
    for (const source of [{}, proxied, ...live]) expect(exposure(parseSettings(source))).toBeNull();
  });

  test('that are not valid do not hide the valid ones', () => {
    const source = { PORT: 'x', DATABASE_URL: CLOSED, SECRET_KEY_PREVIOUS: 'y'.repeat(32), DRAIN_DELAY: '7' };
    expect(validSettings(source)).toMatchObject({ PORT: 3000, DATABASE_URL: CLOSED, DRAIN_DELAY: 7 });
  });
});

test.each<[string, string, Severity]>([
  ['24.21.0', '2028-04-30', 'ok'],
  ['24.21.0', '2028-05-01', 'warning'],
  ['20.19.0', '2026-05-01', 'warning'],
  ['25.9.0', '2025-12-01', 'warning'],
])('Node.js %s on %s: %s', async (version, day, severity) => {
  await expectFound([checkNode(version, new Date(`${day}T12:00:00Z`))], severity, `Node.js ${version}`);
});

test('the disk of a directory has enough space, or too little, or cannot be written', async () => {
  const many = Number.MAX_SAFE_INTEGER;
  const path = join(tmpdir(), 'not', 'there', 'yet');
  for (const [bytes, severity] of [
    [{ wrong: 0, warning: 0 }, 'ok'],
    [{ wrong: 0, warning: many }, 'warning'],
    [{ wrong: many, warning: many }, 'wrong'],
  ] as const)
    await expectFound([await checkDisk('DATA_DIR', path, bytes)], severity, 'GiB free');
  await expectFound([await checkDisk('DATA_DIR', join(process.execPath, 'data'))], 'wrong', 'not writable');
});

test('a check that fails or hangs is a finding, affects no other check, and reveals no secret', async () => {
  const findings = await runChecks(
    [
      { name: 'fails', run: () => Promise.reject(new Error('postgresql://someone:hunter2@db/x hunter2')) },
      { name: 'hangs', run: () => new Promise(() => {}) },
      { name: 'works', run: async () => [ok('fine')] },
    ],
    ['hunter2'],
    50,
  );
  expect(findings.map(({ check, severity }) => `${check} ${severity}`)).toEqual([
    'fails wrong',
    'hangs wrong',
    'works ok',
  ]);
  const text = describeFindings(findings).join('\n');
  expect(text).not.toContain('hunter2');
  expect(text).toContain('wrong    hangs  This check did not finish within 0.05 seconds.\n');
  expect(text).toMatch(/1 ok, 0 warnings, 2 wrong\.$/);
});

test.each(['booking', 'x', '1', 'correct-horse-battery', 'hunter2'])(
  'the password %s is in no URL of a finding, and leaves the fixes as they are',
  async (password) => {
    const fix = 'Put a proxy with deploy/nginx/booking.conf in front, and set TRUSTED_PROXIES=1 and HOST=127.0.0.1.';
    const url = (scheme: string) => `${scheme}://booking:${password}@db:5432/x`;
    const check = { name: 'a', run: async () => [warning(`${url('redis')} ${url('postgresql')} fail`, fix)] };
    const [found] = await runChecks([check], [password]);
    expect(found).toEqual({
      check: 'a',
      severity: 'warning',
      text: 'redis://booking:[…]@db:5432/x postgresql://[credentials]@db:5432/x fail',
      fix,
    });
  },
);

test('a password that is no ordinary word is removed everywhere', async () => {
  for (const password of ['correct-horse-battery', 'hunter2', 'aB3-'])
    expect(await runChecks([{ name: 'a', run: async () => [ok(`It is ${password}.`)] }], [password])).toMatchObject([
      { text: 'It is […].' },
    ]);
});
