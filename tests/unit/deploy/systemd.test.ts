import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { readBackupOptions } from '@/lib/operations/backup/file';
import { hasProgram } from '@/tests/support/programs';

const unit = readFileSync('deploy/systemd/booking@.service', 'utf8');
const migration = readFileSync('deploy/systemd/booking-migrate.service', 'utf8');
const [backup = '', drill = ''] = ['backup', 'drill'].map((name) =>
  readFileSync(`deploy/systemd/booking-${name}.service`, 'utf8'),
);
const zones = readFileSync('deploy/systemd/booking-zones.service', 'utf8');
const backupPage = readFileSync('docs/backup.md', 'utf8');

const linesOf = (name: string, text: string) =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value);
const lineOf = (name: string, text = unit) => linesOf(name, text)[0];

test('the unit starts, stops, and restarts a server as documented', () => {
  expect(lineOf('ExecStart')).toBe('/usr/bin/node scripts/launch.mjs start');
  expect([lineOf('KillMode'), lineOf('Restart'), lineOf('TimeoutStopSec')]).toEqual(['mixed', 'on-failure', '50']);
  expect(lineOf('User')).toBe('booking');
  expect(lineOf('ProtectSystem')).toBe('strict');
  // With this option, V8 could not compile scripts, because V8 makes memory executable for compiled code.
  expect(unit).not.toContain('MemoryDenyWriteExecute');
});

test('only the units of commands get the URL of the role that owns the database', () => {
  expect(lineOf('ExecStart', migration)).toBe('/usr/bin/node scripts/launch.mjs migrate');
  expect([lineOf('Type', migration), lineOf('User', migration)]).toEqual(['oneshot', 'booking']);
  expect(linesOf('EnvironmentFile', migration)).toEqual(['/etc/booking/common.env', '/etc/booking/migrate.env']);
  expect(linesOf('EnvironmentFile', unit)).not.toContain('/etc/booking/migrate.env');
  // All units have the same restrictions.
  const restrictions = (text: string) => text.slice(text.indexOf('UMask='), text.indexOf('SystemCallArchitectures='));
  for (const text of [migration, backup, drill]) expect(restrictions(text)).toBe(restrictions(unit));
});

test('the units of backups and drills use the same directory, and only backups may write to it', () => {
  const [, ...words] =
    /^\/usr\/bin\/node scripts\/launch\.mjs backup (.*)$/.exec(lineOf('ExecStart', backup) ?? '') ?? [];
  const args = words.join(' ').split(' ');
  expect(args.pop()).toBe('$BACKUP_OPTIONS');
  const { path, keep } = readBackupOptions(args);
  expect([linesOf('ReadWritePaths', backup), linesOf('ReadWritePaths', drill)]).toEqual([[path], []]);
  expect(lineOf('ExecStart', drill)).toBe(`/usr/bin/node scripts/launch.mjs drill ${path}`);
  // The page starts both with one command.
  expect(lineOf('After', drill)?.split(' ')).toContain('booking-backup.service');
  expect(backupPage).toContain(`keeps the newest ${keep}`);
  expect(backupPage).toMatch(new RegExp(`^sudo install --directory .*--owner=booking .* ${path}$`, 'm'));
  for (const text of [backup, drill]) {
    expect([lineOf('Type', text), lineOf('User', text)]).toEqual(['oneshot', 'booking']);
    expect(linesOf('EnvironmentFile', text).slice(0, 2)).toEqual(linesOf('EnvironmentFile', migration));
  }
});

test.each([
  ['backup', '*-*-* 02:30'],
  ['drill', '*-*-01 04:30'],
])('the timer of the %s also starts what was missed, and the page enables it', (name, when) => {
  const timer = readFileSync(`deploy/systemd/booking-${name}.timer`, 'utf8');
  expect([lineOf('OnCalendar', timer), lineOf('Persistent', timer)]).toEqual([when, 'true']);
  expect(lineOf('WantedBy', timer)).toBe('timers.target');
  expect(backupPage).toMatch(new RegExp(`^sudo systemctl enable --now .*booking-${name}\\.timer`, 'm'));
});

test('the example program copies a backup under its own name, and never replaces a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'copy-'));
  try {
    const script = 'deploy/systemd/copy-backup';
    expect(statSync(script).mode & 0o111).toBe(0o111);
    writeFileSync(join(directory, 'rclone'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    const path = '/var/backups/booking/booking-live-20261129T023000Z.gz';
    const copy = (settings: Record<string, string>) => {
      const env = { PATH: `${directory}:${process.env.PATH}`, ...settings } as unknown as NodeJS.ProcessEnv;
      return spawnSync(script, [path], { encoding: 'utf8', env });
    };
    expect(copy({ BACKUP_REMOTE: 'offsite:booking' }).stdout).toBe(
      `copyto --immutable ${path} offsite:booking/${basename(path)}\n`,
    );
    const { status, stdout } = copy({});
    expect([status === 0, stdout]).toEqual([false, '']);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test('the page about backups installs the program that copies where the user of the servers can run it', () => {
  const [, program = ''] = /^BACKUP_OPTIONS="--copy (\S+)"$/m.exec(backupPage) ?? [];
  const [, config = ''] = /^RCLONE_CONFIG=(\S+)$/m.exec(backupPage) ?? [];
  expect(backupPage).toContain(`sudo install --mode=755 /srv/booking/deploy/systemd/copy-backup ${program}\n`);
  expect(backupPage).toContain(`sudo rclone config --config ${config}\n`);
  expect(backup).toContain(` --copy ${program}"`);
  // Only root can read this directory (docs/live.md).
  for (const path of [program, config]) expect(path).toMatch(/^\/(?!etc\/booking\/)/);
});

test('the unit of the time zone rules runs the script of the packaged folder and writes only its metric', () => {
  expect(lineOf('ExecStart', zones)).toBe(
    `/bin/sh /srv/booking/deploy/prometheus/zones.sh ${lineOf('ReadWritePaths', zones)}`,
  );
  expect([lineOf('Type', zones), lineOf('ProtectSystem', zones)]).toEqual(['oneshot', 'strict']);
  const timer = readFileSync('deploy/systemd/booking-zones.timer', 'utf8');
  expect([lineOf('OnCalendar', timer), lineOf('Persistent', timer)]).toEqual(['daily', 'true']);
});

/**
 * Returns the messages of `systemd-analyze verify` about a unit file. The file is verified with the path of this machine's
 * Node.js instead of `/usr/bin/node`.
 */
function verify(text: string, name = 'booking@one.service'): string {
  const directory = mkdtempSync(join(tmpdir(), 'unit-'));
  try {
    const file = join(directory, name);
    // A timer needs its service.
    if (name.endsWith('.timer')) writeFileSync(file.replace('.timer', '.service'), '[Service]\nExecStart=/bin/true\n');
    writeFileSync(file, text.replaceAll('/usr/bin/node', process.execPath));
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
    return stderr
      .split('\n')
      .filter((line) => line.includes(file))
      .join('\n');
  } finally {
    rmSync(directory, { recursive: true });
  }
}

if (hasProgram('systemd-analyze', 1, 'the check of the units'))
  test('systemd accepts the units', () => {
    expect(verify(unit.replace('[Service]', '[Service]\nFoo=bar'))).toContain('Foo');
    expect(verify(unit)).toBe('');
    for (const text of [migration, backup, drill, zones]) expect(verify(text)).toBe('');
    for (const name of ['booking-backup.timer', 'booking-drill.timer', 'booking-zones.timer'])
      expect(verify(readFileSync(`deploy/systemd/${name}`, 'utf8'), name)).toBe('');
  });
