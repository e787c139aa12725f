import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const unit = readFileSync('deploy/systemd/booking@.service', 'utf8');
const migration = readFileSync('deploy/systemd/booking-migrate.service', 'utf8');

const zones = readFileSync('deploy/systemd/booking-zones.service', 'utf8');

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

test('only the unit of the migrations gets the URL of the role that owns the database', () => {
  expect(lineOf('ExecStart', migration)).toBe('/usr/bin/node scripts/launch.mjs migrate');
  expect([lineOf('Type', migration), lineOf('User', migration)]).toEqual(['oneshot', 'booking']);
  expect(linesOf('EnvironmentFile', migration)).toEqual(['/etc/booking/common.env', '/etc/booking/migrate.env']);
  expect(linesOf('EnvironmentFile', unit)).not.toContain('/etc/booking/migrate.env');
  // Both units have the same restrictions.
  const restrictions = (text: string) => text.slice(text.indexOf('UMask='), text.indexOf('SystemCallArchitectures='));
  expect(restrictions(migration)).toBe(restrictions(unit));
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
 * Returns the messages of `systemd-analyze verify` about a unit file, or null if `systemd-analyze` cannot be run. The
 * file is verified with the path of this machine's Node.js instead of `/usr/bin/node`.
 */
function verify(text: string): string | null {
  const directory = mkdtempSync(join(tmpdir(), 'unit-'));
  try {
    const file = join(directory, 'booking@one.service');
    writeFileSync(file, text.replaceAll('/usr/bin/node', process.execPath));
    const { error, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
    return error
      ? null
      : stderr
          .split('\n')
          .filter((line) => line.includes(file))
          .join('\n');
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test('systemd accepts the units, if this machine has it', () => {
  if (verify(unit.replace('[Service]', '[Service]\nFoo=bar')) === null) return;
  expect(verify(unit.replace('[Service]', '[Service]\nFoo=bar'))).toContain('Foo');
  expect(verify(unit)).toBe('');
  expect(verify(migration)).toBe('');
  expect(verify(readFileSync('deploy/systemd/booking-backup.service', 'utf8'))).toBe('');
  expect(verify(zones)).toBe('');
});
