import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requiredConnections, workerCount, workerEnvironment } from '@/lib/platform/cluster';
import { parseSettings, SettingsError } from '@/lib/platform/env';
import { urlsOf, withDatabaseName } from '@/lib/platform/postgres/hosts';
import { FILE_SETTINGS } from '@/lib/platform/setting-files';

function refusal(source: Record<string, string>): string {
  try {
    parseSettings(source);
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as SettingsError).message;
  }
  return expect.unreachable('the settings were accepted');
}

test('unset and empty settings have their defaults', () => {
  const expected = {
    ENVIRONMENT: 'TEST',
    PORT: 3000,
    TRUSTED_PROXIES: 0,
    INSTANCES: 1,
    DATABASE_POOL: 16,
    SESSION_IDLE_MINUTES: 120,
    WEBHOOKS_ALLOW_LOOPBACK: '0',
    HSTS_SUBDOMAINS: '0',
    DRAIN_DELAY: 0,
    LOG_LEVEL: 'warn',
    OIDC_NAME: 'single sign-on',
  };
  expect(parseSettings({})).toEqual(expected);
  const empty = Object.fromEntries(
    [...Object.keys(expected), 'DATABASE_URL', 'SECRET_KEY', 'HOST'].map((name) => [name, '']),
  );
  expect(parseSettings(empty)).toEqual(expected);
});

test('other environment variables are ignored', () => {
  expect(parseSettings({ PATH: '/bin', HOME: '/home/partner' })).not.toHaveProperty('PATH');
});

test('valid settings are accepted', () => {
  const accepted = parseSettings({
    ENVIRONMENT: 'LIVE',
    DATABASE_URL: 'postgresql://user:secret@db.example:5432/partner?sslmode=require',
    DIRECT_DATABASE_URL: 'postgres://db.example/partner',
    SECRET_KEY: 'x'.repeat(32),
    PORT: '0',
    PUBLIC_ORIGIN: 'https://api.partner.example/',
    TRUSTED_PROXIES: '2',
    INSTANCES: '4',
  });
  expect(accepted).toMatchObject({
    PORT: 0,
    PUBLIC_ORIGIN: 'https://api.partner.example',
    TRUSTED_PROXIES: 2,
    INSTANCES: 4,
  });
  expect(parseSettings({ INSTANCES: 'auto' }).INSTANCES).toBe('auto');
});

test('WORKERS is a number or auto, by default one process in TEST and one per core in LIVE', () => {
  const count = (source: Record<string, string>) => workerCount(parseSettings(source));
  expect(count({})).toBe(1);
  expect(count({ WORKERS: '3' })).toBe(3);
  expect(count({ ENVIRONMENT: 'LIVE', WORKERS: '1' })).toBe(1);
  const cores = availableParallelism();
  const sources: Record<string, string>[] = [{ ENVIRONMENT: 'LIVE' }, { WORKERS: 'auto' }];
  for (const source of sources) {
    expect(count({ ...source, DATABASE_POOL: '200' })).toBe(Math.min(cores, 50));
    // With 7 connections, there is only one process, because two processes need 8.
    expect(count({ ...source, DATABASE_POOL: '7' })).toBe(1);
  }
  expect(refusal({ WORKERS: '9', DATABASE_POOL: '16' })).toContain('DATABASE_POOL must be at least twice WORKERS');
});

const BAD: [string, string][] = [
  ['WORKERS', '0'],
  ['WORKERS', '65'],
  ['WORKERS', 'all'],
  ['ENVIRONMENT', 'PRODUCTION'],
  ['ENVIRONMENT', 'live'],
  ['PORT', 'eighty'],
  ['PORT', '-1'],
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['DATABASE_URL', 'mysql://root:hunter2@localhost/db'],
  ['DATABASE_URL', 'hunter2'],
  ['DATABASE_URL', 'postgresql://root:hunter2@a,b:port/db'],
  ['DATABASE_URL', 'postgresql://root:hunter2@a,b/db?target_session_attrs=standby'],
  ['DATABASE_URL', 'postgresql://root:hunter2@a,b,c,d,e,f,g,h,i/db'],
  ['DIRECT_DATABASE_URL', 'http://hunter2.example'],
  ['MIGRATION_DATABASE_URL', 'http://hunter2.example'],
  ['SECRET_KEY', 'hunter2'],
  ['SECRET_KEY_PREVIOUS', 'hunter2'],
  ['PUBLIC_ORIGIN', 'hunter2.example'],
  ['PUBLIC_ORIGIN', 'https://hunter2.example/path'],
  ['PUBLIC_ORIGIN', 'ftp://hunter2.example'],
  ['SUPPORT_CONTACT', 'hunter2'],
  ['SUPPORT_CONTACT', 'help@hunter2'],
  ['SUPPORT_CONTACT', 'javascript:hunter2'],
  ['SUPPORT_CONTACT', 'https://hunter2.example/`<script>'],
  ['TRUSTED_PROXIES', '-1'],
  ['TRUSTED_PROXIES', '17'],
  ['SESSION_IDLE_MINUTES', '4'],
  ['SESSION_IDLE_MINUTES', '481'],
  ['INSTANCES', '0'],
  ['INSTANCES', 'many'],
  ['DATABASE_POOL', '1'],
  ['REQUEST_LOG_FILE', 'hunter2.ndjson'],
  ['AUDIT_LOG_FILE', 'hunter2.ndjson'],
  ['HSTS_SUBDOMAINS', 'hunter2'],
  ['CELL', 'hunter2'],
  ['CELL', 'HUN7'],
  ['CELL', 'eu1'],
  ['LOG_LEVEL', 'verbose'],
  ['DRAIN_DELAY', '-1'],
  ['DRAIN_DELAY', '301'],
  ['METRICS_TOKEN', 'hunter2'],
  ['METRICS_TOKEN', 'hunter2 with spaces'],
  ['INNGEST_DEV', 'yes'],
  ['INNGEST_DEV', 'hunter2.example'],
  ['INNGEST_BASE_URL', 'hunter2.example'],
  ['INNGEST_SIGNING_KEY', 'signkey-prod-hunter2'],
  ['INNGEST_SIGNING_KEY_FALLBACK', 'abc'],
  ['INNGEST_SERVE_ORIGIN', 'https://hunter2.example/path'],
];

test.for(BAD)('the error of an invalid %s names the setting but not its value %j', ([name, value]) => {
  const message = refusal({ [name]: value });
  expect(message).toContain(name);
  if (value.length > 2) expect(message).not.toContain(value);
  expect(message).not.toContain('hunter2');
});

const KEYS = { INNGEST_EVENT_KEY: 'event', INNGEST_SIGNING_KEY: `signkey-prod-${'ab'.repeat(32)}` };

test.each([
  [KEYS],
  [{ ...KEYS, INNGEST_BASE_URL: 'http://inngest.internal:8288' }],
  [{ ...KEYS, INNGEST_DEV: '0', ENVIRONMENT: 'LIVE' }],
  [{ INNGEST_DEV: '1' }],
  [{ INNGEST_DEV: 'http://localhost:8288' }],
  [{ INNGEST_DEV: '0' }],
])('%j configures Inngest', (source) => {
  expect(parseSettings(source)).toMatchObject(source);
});

test.each([
  [{ INNGEST_EVENT_KEY: 'event' }, 'INNGEST_SIGNING_KEY'],
  [{ INNGEST_SIGNING_KEY: 'abcd' }, 'INNGEST_EVENT_KEY'],
  [{ INNGEST_BASE_URL: 'http://inngest.internal:8288', INNGEST_EVENT_KEY: 'event' }, 'INNGEST_SIGNING_KEY'],
  [{ INNGEST_BASE_URL: 'http://inngest.internal:8288', INNGEST_DEV: '0' }, 'INNGEST_EVENT_KEY'],
])('with %j alone, the error names the missing setting', (source, missing) => {
  expect(refusal(source)).toBe(`Missing setting: ${missing}.`);
});

test.each([['WEBHOOKS_ALLOW_LOOPBACK'], ['INNGEST_DEV'], ['TEST_ZONE_RULES']])(
  'LIVE does not start with %s',
  (name) => {
    expect(refusal({ ENVIRONMENT: 'LIVE', [name]: '1' })).toBe(`Invalid setting: ${name} is for TEST only.`);
  },
);

test('TEST_READINESS_KEY is one to four public keys', () => {
  const key = Buffer.alloc(32, 7).toString('base64url');
  for (const value of [key, `${key},${key}`])
    expect(parseSettings({ TEST_READINESS_KEY: value }).TEST_READINESS_KEY).toBe(value);
  for (const value of [key.slice(1), `${key.slice(0, -1)}-`, `${key},`, `${key}, ${key}`, Array(5).fill(key).join()])
    expect(refusal({ TEST_READINESS_KEY: value })).toContain('TEST_READINESS_KEY must');
});

const OIDC = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'us', OIDC_CLIENT_SECRET: 'hunter2' };

test.each([[OIDC], [{ ...OIDC, OIDC_ISSUER: 'http://localhost:9000/realm' }], [{ ...OIDC, OIDC_NAME: 'Harbour ID' }]])(
  '%j configures a provider',
  (source) => {
    expect(parseSettings(source)).toMatchObject(source);
  },
);

test.each([
  [{ SECRET_KEY_PREVIOUS: 'x'.repeat(32) }, 'Missing setting: SECRET_KEY.'],
  [{ DIRECT_DATABASE_URL: 'postgresql://db.example/partner' }, 'Missing setting: DATABASE_URL.'],
  [{ MIGRATION_DATABASE_URL: 'postgresql://db.example/partner' }, 'Missing setting: DATABASE_URL.'],
  [
    { SECRET_KEY: 'x'.repeat(32), SECRET_KEY_PREVIOUS: 'x'.repeat(32) },
    'Invalid setting: SECRET_KEY_PREVIOUS must differ from SECRET_KEY.',
  ],
  [{ ...OIDC, OIDC_CLIENT_ID: '' }, 'Missing setting: OIDC_CLIENT_ID.'],
  [{ OIDC_CLIENT_SECRET: 'hunter2' }, 'Missing setting: OIDC_ISSUER.'],
  [
    { ...OIDC, OIDC_ISSUER: 'http://id.example' },
    'Invalid setting: OIDC_ISSUER must be an https URL. Only localhost may use http.',
  ],
  [
    { ...OIDC, OIDC_ISSUER: 'http://localhost.example' },
    'Invalid setting: OIDC_ISSUER must be an https URL. Only localhost may use http.',
  ],
])('with %j, the error names the problem', (source, message) => {
  expect(refusal(source)).toBe(message);
});

test('a database URL with several hosts has one URL for each host', () => {
  const url =
    'postgresql://us%40er:p%2Cw@a.example:5433,[::1],c/name?target_session_attrs=read-write&sslmode=verify-full';
  expect(parseSettings({ DATABASE_URL: url }).DATABASE_URL).toBe(url);
  expect(urlsOf(url)).toEqual([
    'postgresql://us%40er:p%2Cw@a.example:5433/name?sslmode=verify-full',
    'postgresql://us%40er:p%2Cw@[::1]/name?sslmode=verify-full',
    'postgresql://us%40er:p%2Cw@c/name?sslmode=verify-full',
  ]);
  expect(urlsOf('postgres://a,b/name')).toEqual(['postgres://a/name', 'postgres://b/name']);
  const single = 'postgresql://a/name?options=-c%20a=b,c';
  expect(urlsOf(single)).toEqual([single]);
});

test('one instance opens at most the connections of its pool and one for each worker', () => {
  for (const [WORKERS, DATABASE_POOL] of [
    [1, 16],
    [2, 16],
    [3, 16],
    [4, 32],
    [8, 17],
    [64, 200],
  ] as const) {
    const { serving, replacing } = requiredConnections({ ENVIRONMENT: 'LIVE', WORKERS, DATABASE_POOL });
    const share = WORKERS === 1 ? DATABASE_POOL : Number(workerEnvironment(WORKERS, DATABASE_POOL, true).DATABASE_POOL);
    expect(serving).toBe(WORKERS * (share + 1));
    expect(serving).toBeLessThanOrEqual(DATABASE_POOL + WORKERS);
    expect(replacing).toBe(WORKERS === 1 ? serving : serving + share + 1);
  }
});

let directory = '';

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'settings-'));
});

afterAll(() => rmSync(directory, { recursive: true }));

function file(content: string): string {
  const path = join(directory, 'a secret');
  writeFileSync(path, content);
  return path;
}

test.each(FILE_SETTINGS)('%s can be in a file, with or without a line break at its end', (name) => {
  const value = name === 'SMTP_URL' ? 'smtp://a' : name.endsWith('URL') ? 'postgresql://a/b' : 'ab'.repeat(16);
  const rest = {
    ...(/^(DIRECT|MIGRATION)_/.test(name) ? { DATABASE_URL: 'postgresql://pooler/b' } : {}),
    ...(name === 'SECRET_KEY_PREVIOUS' ? { SECRET_KEY: 'x'.repeat(32) } : {}),
    ...(name === 'OIDC_CLIENT_SECRET' ? { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'us' } : {}),
    ...(name.startsWith('INNGEST') ? KEYS : {}),
    ...(name === 'SMTP_URL' ? { SMTP_FROM: 'booking@platform.example' } : {}),
    [name]: '',
  };
  for (const end of ['', '\n', '\r\n'])
    expect(parseSettings({ ...rest, [`${name}_FILE`]: file(value + end) })[name]).toBe(value);
});

test('a file that is not valid is refused without its content or its path', () => {
  const both = { METRICS_TOKEN: 'hunter2-hunter2-hunter2', METRICS_TOKEN_FILE: file('hunter2-hunter2-hunter2') };
  expect(refusal(both)).toBe('Invalid setting: set either METRICS_TOKEN or METRICS_TOKEN_FILE, not both.');
  const of = (path: string) => refusal({ SECRET_KEY_FILE: path });
  expect(of(join(directory, 'hunter2'))).toBe('Invalid setting: the file of SECRET_KEY_FILE cannot be read (ENOENT).');
  expect(of(directory)).toBe('Invalid setting: the file of SECRET_KEY_FILE cannot be read (EISDIR).');
  expect(of(file('\n'))).toBe('Invalid setting: the file of SECRET_KEY_FILE is empty.');
  expect(of(file('x'.repeat(16_385)))).toBe(
    'Invalid setting: the file of SECRET_KEY_FILE must have at most 16384 bytes.',
  );
  expect(of(file('hunter2'))).toBe('Invalid setting: SECRET_KEY must be at least 32 characters.');
});

test('the error names every invalid setting', () => {
  const message = refusal({ PORT: 'x', INSTANCES: 'y', ENVIRONMENT: 'z' });
  for (const name of ['PORT', 'INSTANCES', 'ENVIRONMENT']) expect(message).toContain(name);
});

test('any input gives settings or an error without values', () => {
  const names = [
    'ENVIRONMENT',
    'PORT',
    'DATABASE_URL',
    'SECRET_KEY',
    'PUBLIC_ORIGIN',
    'INSTANCES',
    'LOG_LEVEL',
    'HOST',
  ];
  const value = fc.string().map((text) => `Zq7${text}`);
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value), (source) => {
      try {
        parseSettings(source);
      } catch (error) {
        expect(error).toBeInstanceOf(SettingsError);
        expect((error as SettingsError).message).not.toContain('Zq7');
      }
    }),
  );
});

test('a mail server needs a sender, and gets a password only over TLS', () => {
  const SMTP_FROM = 'booking@platform.example';
  expect(refusal({ SMTP_FROM })).toBe('Missing setting: SMTP_URL.');
  expect(refusal({ SMTP_URL: 'smtps://mail.example' })).toBe('Missing setting: SMTP_FROM.');
  expect(refusal({ SMTP_URL: 'smtps://mail.example', SMTP_FROM: 'a@b.example\r\nBcc: c@d.example' })).toMatch(
    /^Invalid setting: SMTP_FROM/,
  );
  const plain = { SMTP_FROM, SMTP_URL: 'smtp://u:hunter2@mail.example?starttls=off' };
  expect(refusal(plain)).toBe('Invalid setting: SMTP_URL must not send a password without TLS.');
  for (const SMTP_URL of ['smtp://u:p@mail.example', 'smtp://u:p@127.0.0.1:25', 'smtp://relay.example?starttls=off'])
    expect(parseSettings({ SMTP_URL, SMTP_FROM })).toMatchObject({ SMTP_URL });
});

test.each([
  ['postgresql://u:p@a/booking', 'postgresql://u:p@a/booking_drill'],
  ['postgres://u@a:1,b:2/booking?sslmode=verify-full', 'postgres://u@a:1,b:2/booking_drill?sslmode=verify-full'],
  ['postgresql://a', 'postgresql://a/booking_drill'],
])('the URL %s can lead to another database of its servers', (url, expected) => {
  expect(withDatabaseName(url, 'booking_drill')).toBe(expected);
});
