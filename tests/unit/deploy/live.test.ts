import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { API_ERRORS } from '@/lib/contract/errors/api-errors';
import { errorBody } from '@/lib/contract/errors/body';
import { parseSettings, SETTING_NAMES } from '@/lib/platform/env';
import { hasProgram } from '@/tests/support/programs';

const read = (path: string) => readFileSync(path, 'utf8');
const page = read('docs/live.md');
const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
const commands = blocks.join('\n');
const blockWith = (text: string) => blocks.find((block) => block.includes(text)) ?? '';
const nginx = read('deploy/nginx/booking.conf');
const server = read('deploy/systemd/booking@.service');
const backup = read('deploy/systemd/booking-backup.service');
const linesOf = (name: string, text: string) =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);

/** Runs commands of the page in a shell, with a folder instead of `/etc/booking`, and without PostgreSQL. */
function runSettings(folder: string, domain: string): void {
  const script = blockWith('set_up()').replaceAll('/etc/booking', folder).replaceAll('/srv/booking', process.cwd());
  execFileSync('sh', ['-uc', `runuser() { cat >> ${folder}/sql; }\n${script}`], {
    env: { ...process.env, DOMAIN: domain },
  });
}

function settingsIn(...files: string[]): Record<string, string> {
  const lines = files.flatMap((file) => read(file).split('\n')).filter(Boolean);
  const pairs = lines.map((line) => /^([A-Z_]+)=([^\s"'\\$&#;]+)$/.exec(line)?.slice(1));
  expect(pairs, 'lines that a shell and systemd read differently').not.toContain(undefined);
  return Object.fromEntries(pairs as [string, string][]);
}

test('every block is valid for a shell', () => {
  expect(blocks.length).toBeGreaterThanOrEqual(10);
  for (const block of blocks) execFileSync('sh', ['-n'], { input: block });
});

test('every file that a command of a page installs exists', () => {
  for (const name of ['live', 'service', 'backup', 'upgrade']) {
    const paths = [...read(`docs/${name}.md`).matchAll(/\/srv\/booking\/(deploy\/[^\s`]+)/g)];
    expect(paths, name).not.toEqual([]);
    for (const [, path = ''] of paths) {
      const [folder = '', file = ''] = [path.slice(0, path.lastIndexOf('/')), path.slice(path.lastIndexOf('/') + 1)];
      const pattern = new RegExp(`^${file.replaceAll('.', '\\.').replaceAll('*', '.+')}$`);
      expect(
        readdirSync(folder).filter((one) => pattern.test(one)),
        path,
      ).not.toEqual([]);
    }
  }
});

test('every unit that the page starts is installed by it or by Debian', () => {
  const started = [...commands.matchAll(/systemctl (?:--no-pager )?(?:start|enable --now|list-timers) (.+)/g)].flatMap(
    ([, names = '']) => names.split(' '),
  );
  expect(started.sort()).toEqual([
    'booking-backup',
    'booking-backup.timer',
    'booking-backup.timer',
    'booking-drill',
    'booking-drill.timer',
    'booking-drill.timer',
    'booking-migrate',
    'certbot.timer',
    'dbus',
  ]);
  for (const name of started.filter((one) => one.startsWith('booking')))
    expect(existsSync(`deploy/systemd/${name.includes('.') ? name : `${name}.service`}`), name).toBe(true);
});

if (hasProgram('openssl', 1, 'the settings of the page about one machine', ['version']))
  test('the settings of the page are those of two LIVE instances behind the proxy', () => {
    const folder = mkdtempSync(join(tmpdir(), 'live-'));
    const files = (name: string) => settingsIn(join(folder, 'common.env'), join(folder, name));
    try {
      runSettings(folder, 'first.example');
      const [one, two, migrate] = ['one.env', 'two.env', 'migrate.env'].map(files);
      for (const name of Object.keys({ ...one, ...two, ...migrate })) expect(SETTING_NAMES, name).toContain(name);
      const settings = parseSettings({ ...one, ...migrate });
      expect(settings).toMatchObject({
        ENVIRONMENT: 'LIVE',
        HOST: '127.0.0.1',
        INSTANCES: 2,
        TRUSTED_PROXIES: 1,
        PUBLIC_ORIGIN: 'https://first.example',
      });
      expect([one?.PORT, two?.PORT]).toEqual([...nginx.matchAll(/server 127\.0\.0\.1:(\d+)/g)].map(([, port]) => port));
      expect(commands).toContain(`for instance in one:${one?.PORT} two:${two?.PORT}; do`);
      expect(one?.MIGRATION_DATABASE_URL).toBeUndefined();
      // PostgreSQL gets the passwords of the two URLs, after the file that creates the roles.
      const sql = read(join(folder, 'sql'));
      for (const url of [settings.DATABASE_URL, settings.MIGRATION_DATABASE_URL]) {
        const { username, password, pathname } = new URL(url ?? '');
        expect(sql).toMatch(
          new RegExp(`CREATE ROLE ${username} LOGIN[^;]*;[\\s\\S]*ALTER ROLE ${username} PASSWORD '${password}'`),
        );
        expect(sql).toContain(`CREATE DATABASE ${pathname.slice(1)} `);
      }
      runSettings(folder, 'second.example');
      const again = files('one.env');
      expect(again.SECRET_KEY).toBe(one?.SECRET_KEY);
      expect(again.DATABASE_URL).not.toBe(one?.DATABASE_URL);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

test('the commands of the page give nginx the name and the certificate', () => {
  const block = blockWith('certbot certonly');
  const changed = [...block.matchAll(/^(sed "[^"]*" (?:\\\n\s*)?)\/srv\/booking\/(\S+) > /gm)].map(
    ([, command = '', path = '']) =>
      execFileSync('sh', ['-uc', `${command}${path}`], {
        encoding: 'utf8',
        env: { ...process.env, DOMAIN: 'api.firm.example' },
      }),
  );
  expect(changed).toHaveLength(2);
  for (const file of changed) {
    expect(file).toContain('server_name api.firm.example;');
    expect(file).not.toContain('booking.example');
  }
  const [acme = '', main = ''] = changed;
  expect([...main.matchAll(/ssl_certificate(?:_key)? (.*);/g)].map(([, path]) => path)).toEqual([
    '/etc/letsencrypt/live/api.firm.example/fullchain.pem',
    '/etc/letsencrypt/live/api.firm.example/privkey.pem',
  ]);
  const [, root] = /acme-challenge\/ \{ root (\S+); \}/.exec(acme) ?? [];
  expect(block).toContain(`--webroot-path ${root} `);
  expect(commands).toMatch(new RegExp(`^install -d .*${root}$`, 'm'));
});

test('nginx itself answers 502, 503, and 504 with the error of the contract', () => {
  const { status, message } = API_ERRORS.service_unavailable;
  expect(nginx).toContain(`error_page 502 503 504 =${status} @unavailable;`);
  // Otherwise, nginx would replace the responses of the instances too.
  expect(nginx).not.toContain('proxy_intercept_errors');
  const [, map = '', id = ''] = /^\t"~(\^.*)" (\S+);$/m.exec(nginx) ?? [];
  const { booking_id = '' } = new RegExp(map).exec('0123456789abcdef'.repeat(2))?.groups ?? {};
  const values: Record<string, string> = {
    server_name: 'booking.example',
    booking_request_id: id.replace('$booking_id', booking_id),
  };
  const [, text = ''] = new RegExp(`return ${status} '(.*)';`).exec(nginx) ?? [];
  const body = errorBody.parse(JSON.parse(text.replaceAll(/\$([a-z_]+)/g, (_, name: string) => values[name] ?? '')));
  expect(body.error).toMatchObject({ code: 'service_unavailable', message, reason: null });
  expect(nginx).toContain('add_header X-Request-Id $booking_request_id always;');
  expect(nginx).toMatch(/add_header Retry-After \d+ always;/);
});

test('the page creates the folder of the backups for the user of their unit', () => {
  const [folder = ''] = linesOf('ReadWritePaths', backup);
  expect(commands).toMatch(new RegExp(`^install -d --mode=700 --owner=booking --group=booking ${folder}$`, 'm'));
});

test('logrotate rotates the files that the units may write, and compresses none that is in use', () => {
  const file = read('deploy/logrotate/booking');
  const [, folder, suffix] = /^(\/\S+)\/\*(\.\w+) \{$/m.exec(file) ?? [];
  expect(folder).toBe(`/var/log/${linesOf('LogsDirectory', server)[0]}`);
  expect(linesOf('REQUEST_LOG_FILE', page)[0]).toBe(`${folder}/requests${suffix}`);
  const options = [...file.matchAll(/^\t(\w+)/gm)].map(([, option]) => option);
  expect(options).toEqual(expect.arrayContaining(['delaycompress', 'compress', 'nocreate', 'missingok']));
  // The folder belongs to the user of the servers, so logrotate refuses it as root.
  expect(file).toContain(`\tsu ${linesOf('User', server)[0]} booking\n`);
});

test('`booking` runs a command as the unit of the migrations does', () => {
  const script = read('deploy/bin/booking');
  execFileSync('sh', ['-n'], { input: script });
  const migration = read('deploy/systemd/booking-migrate.service');
  for (const path of linesOf('EnvironmentFile', migration))
    expect(script).toContain(`--property=EnvironmentFile=${path}`);
  expect(script).toContain(`--uid=${linesOf('User', migration)[0]} `);
  expect(script).toContain(`--working-directory="\${RELEASE:-${linesOf('WorkingDirectory', migration)[0]}}" `);
});

test('only PgBouncer comes from the archive of the PostgreSQL project', () => {
  const records = read('deploy/pgbouncer/pgdg.pref').trim().split('\n\n');
  const priorities = records.map((record) => {
    expect(record).toContain('Pin: release o=apt.postgresql.org');
    return [/^Package: (.*)$/m.exec(record)?.[1], Number(/^Pin-Priority: (\d+)$/m.exec(record)?.[1])];
  });
  // Debian's packages have the priority 500.
  expect(priorities).toEqual([
    ['*', 100],
    ['pgbouncer', 600],
  ]);
});

test.each(['live', 'roles', 'pgbouncer', 'failover', 'backup', 'patroni'])(
  'no command of docs/%s.md names a version of PostgreSQL',
  (name) => {
    const code = [...read(`docs/${name}.md`).matchAll(/^ *```\w*[^\n]*\n([\s\S]*?)^ *```$/gm)].map(([, text]) => text);
    expect(code.join('\n')).not.toMatch(/pg_ctlcluster \d|postgresql\/\d|postgresql-\d|postgresql@\d/);
  },
);
