import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

type Mount = string | { source?: string };
type Service = {
  image: string;
  read_only?: boolean;
  cap_drop?: string[];
  secrets?: string[];
  volumes?: Mount[];
  environment?: Record<string, string | number>;
  command?: string[];
  ports?: string[];
  stop_grace_period?: string;
  init?: boolean;
  mem_limit?: string;
  pids_limit?: number;
  logging?: { options: Record<string, string> };
  depends_on?: string[] | Record<string, { condition: string }>;
};
type Compose = {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
};

const DIRECTORY = 'deploy/docker';

const compose = parse(readFileSync(join(DIRECTORY, 'compose.yaml'), 'utf8'), { merge: true }) as Compose;
const { services } = compose;
const booking = ['migrate', 'one', 'two', 'backup'].flatMap((name) => services[name] ?? []);
const settings = readFileSync('docs/settings.md', 'utf8');

/** The schema of the Compose Specification (Apache License 2.0), commit 170098ba of compose-spec/compose-spec. */
const schema = JSON.parse(readFileSync('tests/support/schemas/compose-spec.json', 'utf8')) as Record<string, unknown>;

test('compose.yaml is valid according to the Compose Specification', () => {
  const { $schema: _, ...draft } = schema;
  const validate = new Ajv({ strict: false, validateFormats: false, allowUnionTypes: true }).compile(draft);
  const file = Object.fromEntries(Object.entries(compose).filter(([name]) => !name.startsWith('x-')));
  validate(file);
  expect(validate.errors ?? []).toEqual([]);
  validate({ services: { one: { imagee: 'wrong' } } });
  expect(validate.errors ?? []).not.toEqual([]);
});

test('every image has a pinned version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  for (const { image } of booking) expect(image).toBe(`partner-booking:${version}`);
  for (const { image } of Object.values(services)) expect(image).toMatch(/^[\w/-]+:v?\d+\.\d+(\.\d+)?(-\w+)?$/);
});

test('two instances, the migration, and the backup run without privileges and with a read-only file system', () => {
  expect(booking.length).toBe(4);
  for (const { read_only, cap_drop, stop_grace_period } of booking) {
    expect([read_only, cap_drop]).toEqual([true, ['ALL']]);
    expect(stop_grace_period).toBe('25s');
  }
  expect(services.migrate?.command).toEqual(['node', 'scripts/launch.mjs', 'migrate']);
  expect(booking.every(({ environment }) => environment?.INSTANCES === 2)).toBe(true);
});

test('every setting exists, and no secret is in the file', () => {
  for (const [name, value] of booking.flatMap(({ environment }) => Object.entries(environment ?? {}))) {
    expect(settings).toMatch(new RegExp(`\`${name.replace(/_FILE$/, '')}\``));
    if (name.endsWith('_FILE')) expect(compose.secrets).toHaveProperty(String(value).replace('/run/secrets/', ''));
    if (/SECRET|PASSWORD|TOKEN|KEY|DATABASE_URL/.test(name)) expect(String(value)).toMatch(/^(\/run\/secrets\/|\$\{)/);
  }
});

test('every service has the secrets whose files its settings name', () => {
  for (const [name, { environment = {}, secrets = [] }] of Object.entries(services)) {
    const files = Object.values(environment).filter((value) => String(value).startsWith('/run/secrets/'));
    const missing = files.filter((value) => !secrets.includes(String(value).replace('/run/secrets/', '')));
    expect([name, missing]).toEqual([name, []]);
  }
});

test('during a rotation, every container with the key also gets the previous key', () => {
  const rotation = parse(readFileSync(join(DIRECTORY, 'rotate.yaml'), 'utf8'), { merge: true }) as Compose;
  const holders = Object.entries(services).filter(([, { secrets = [] }]) => secrets.includes('secret_key'));
  expect(Object.keys(rotation.services)).toEqual(holders.map(([name]) => name));
  for (const { secrets, environment } of Object.values(rotation.services)) {
    expect(secrets).toEqual(['secret_key_previous']);
    expect(environment).toEqual({ SECRET_KEY_PREVIOUS_FILE: '/run/secrets/secret_key_previous' });
  }
  expect(rotation.secrets).toEqual({ secret_key_previous: { file: './secrets/secret_key_previous' } });
});

test('every container has limits of memory, processes, and log', () => {
  for (const [name, { mem_limit, pids_limit, logging }] of Object.entries(services)) {
    expect([name, mem_limit]).toEqual([name, expect.stringMatching(/^(?:512m|[12]g)$/)]);
    expect([name, pids_limit, logging?.options]).toEqual([name, 512, { 'max-size': '10m', 'max-file': '5' }]);
  }
});

test('the backup runs at night into a volume that its user can write, and waits again after a failure', () => {
  const [shell = '', option = '', script = ''] = services.backup?.command ?? [];
  expect([shell, option, services.backup?.init]).toEqual(['sh', '-c', true]);
  expect(services.backup?.volumes).toEqual(['backups:/backups']);
  // Programs that note how they are called replace those of the image. The third wait ends the loop.
  const fakes = [
    'date() { if [ "$1" = +%s ]; then echo 100; else echo "date $1 $2" >&2; echo 160; fi; }',
    'sleep() { echo "sleep $1" >&2; waits=$((waits + 1)); [ $waits -lt 3 ]; }',
    'node() { echo "node $*" >&2; return 1; }',
  ];
  const { stderr } = spawnSync('sh', ['-c', [...fakes, 'waits=0', script.replaceAll('$$', '$')].join('\n')], {
    encoding: 'utf8',
  });
  const round = ['date -d 02:30', 'sleep 60', 'node scripts/launch.mjs backup /backups --keep 14'];
  expect(stderr.trim().split('\n')).toEqual([...round, ...round, ...round.slice(0, 2)]);
});

test('the second instance starts after the first one, so that its setup link is the valid one', () => {
  expect(services.two?.depends_on).toMatchObject({
    migrate: { condition: 'service_completed_successfully' },
    one: { condition: 'service_healthy' },
  });
});

test('only the migration, the backup, and PostgreSQL get the password of the role that owns the database', () => {
  const holders = Object.entries(services).filter(([, { secrets = [] }]) =>
    secrets.some((name) => /migration|owner/.test(name)),
  );
  expect(holders.map(([name]) => name)).toEqual(['migrate', 'backup', 'postgres']);
});

test('every secret, volume, and mounted file exists', () => {
  for (const [name, { file }] of Object.entries(compose.secrets)) expect(file).toBe(`./secrets/${name}`);
  for (const service of Object.values(services)) {
    for (const secret of service.secrets ?? []) expect(compose.secrets).toHaveProperty(secret);
    for (const mount of service.volumes ?? []) {
      const source = String(mount).split(':')[0] ?? '';
      if (source.startsWith('.')) expect([source, existsSync(join(DIRECTORY, source))]).toEqual([source, true]);
      else expect(compose.volumes).toHaveProperty(source);
    }
  }
});

test('only the proxy is reachable from other machines', () => {
  for (const [name, { ports = [] }] of Object.entries(services))
    if (name !== 'caddy') for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test('Caddy passes on requests as without containers', () => {
  const [own, other] = ['docker', 'caddy'].map((folder) => readFileSync(`deploy/${folder}/Caddyfile`, 'utf8'));
  const rest = (text = '') => text.replace(/(reverse_proxy) .* \{/, '$1 {');
  const named = own?.replace(/^\{\$PUBLIC_ORIGIN\}/m, 'booking.example');
  expect(rest(named?.replaceAll('{$PUBLIC_ORIGIN}', 'https://booking.example'))).toBe(rest(other));
});

test('the steps of an upgrade replace every container of the image, after a backup', () => {
  const page = readFileSync('docs/containers.md', 'utf8');
  const steps = [
    ...(/^To upgrade, [\s\S]*?\n\nWith the profile/m.exec(page)?.[0] ?? '').matchAll(/docker compose ([^`\n]+)/g),
  ];
  const [backup = '', , migrate = '', ...rest] = steps.map(([, step = '']) => step);
  expect([backup, migrate]).toEqual([expect.stringContaining(' backup /backups'), expect.stringContaining(' migrate')]);
  const replaced = rest.flatMap((step) => step.replace(/^up --detach --no-deps /, '').split(' '));
  const own = Object.keys(services).filter((name) => services[name]?.image.startsWith('partner-booking:'));
  expect(replaced.sort()).toEqual(own.filter((name) => name !== 'migrate').sort());
});
