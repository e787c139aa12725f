import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const unit = readFileSync('deploy/systemd/booking@.service', 'utf8');

const lineOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];

test('the unit starts, stops, and restarts a server as documented', () => {
  expect(lineOf('ExecStart')).toBe('/usr/bin/node scripts/launch.mjs start');
  expect([lineOf('KillMode'), lineOf('Restart'), lineOf('TimeoutStopSec')]).toEqual(['mixed', 'on-failure', '50']);
  expect(lineOf('User')).toBe('booking');
  expect(lineOf('ProtectSystem')).toBe('strict');
  // V8 makes memory executable when it compiles a script, so the unit must not forbid this.
  expect(unit).not.toContain('MemoryDenyWriteExecute');
});

/**
 * Runs `systemd-analyze verify` on a copy of the unit with the path of this machine's Node.js. Returns the messages
 * about the copy, or null if `systemd-analyze` cannot be run.
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

test('systemd accepts the unit, if this machine has it', () => {
  if (verify(unit.replace('[Service]', '[Service]\nFoo=bar')) === null) return;
  expect(verify(unit.replace('[Service]', '[Service]\nFoo=bar'))).toContain('Foo');
  expect(verify(unit)).toBe('');
});
