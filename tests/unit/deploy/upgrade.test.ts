import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const page = readFileSync('docs/upgrade.md', 'utf8');
const blocks = [...page.matchAll(/^```sh(?: \w+)?\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
const blockWith = (text: string) => blocks.find((block) => block.includes(text)) ?? '';
const LOOP = /^for instance in [\s\S]*?^done$/m;

let place = '';

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'upgrade-'));
  mkdirSync(join(place, 'bin'));
  for (const name of ['booking', 'install', 'systemctl', 'curl', 'systemd-run'])
    writeFileSync(join(place, 'bin', name), `#!/bin/sh\necho "${name} \${RELEASE:+in $RELEASE }$*"\n`, { mode: 0o755 });
  for (const name of ['booking-1', 'booking-2'])
    mkdirSync(join(place, name, 'prisma/migrations/1_first'), { recursive: true });
  symlinkSync('booking-1', join(place, 'booking'));
});

afterEach(() => rmSync(place, { recursive: true }));

/** Runs a block of the page with a folder instead of `/srv`, and programs that only print their arguments. */
function run(block: string): string {
  const script = block.replaceAll('/srv/', `${place}/`).replace('sleep 5', '');
  const env = { ...process.env, PATH: `${place}/bin:${process.env.PATH}`, OLD: 'booking-1', NEW: 'booking-2' };
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env }).replaceAll(place, '/srv');
}

const current = () => readlinkSync(join(place, 'booking'));

test('the blocks of an upgrade are valid for a shell', () => {
  expect(blocks.length).toBeGreaterThanOrEqual(6);
  for (const block of blocks) execFileSync('sh', ['-n'], { input: block });
});

test('the new release migrates after a backup and before the link leads to it, and an upgrade without migrations can be undone', () => {
  expect(run(blockWith('booking migrate'))).toBe(
    'booking backup /var/backups/booking/before-booking-2.gz\nbooking in /srv/booking-2 migrate\n',
  );
  writeFileSync(join(place, 'bin', 'booking'), '#!/bin/sh\necho "booking $1"\nexit 1\n');
  expect(run(`${blockWith('booking migrate')}\ntrue`)).toBe('booking backup\n');
  expect(current()).toBe('booking-1');
  expect(run(blockWith('"$NEW" /srv/booking'))).toContain('systemctl daemon-reload');
  expect(current()).toBe('booking-2');
  run(blockWith('diff '));
  expect(current()).toBe('booking-1');
});

test('an upgrade with migrations cannot be undone', () => {
  mkdirSync(join(place, 'booking-2/prisma/migrations/2_second'));
  run(blockWith('"$NEW" /srv/booking'));
  expect(run(`${blockWith('diff ')}\ntrue`)).toBe('Only in /srv/booking-2/prisma/migrations: 2_second\n');
  expect(current()).toBe('booking-2');
});

test('the restart is that of the page of LIVE, and ends when an instance is not ready', () => {
  const [loop = ''] = LOOP.exec(page) ?? [];
  const [live] = LOOP.exec(readFileSync('docs/live.md', 'utf8')) ?? [];
  expect(loop).toBe(live?.replace(/^ {2}systemctl enable .*\n/m, ''));
  const restarts = () => run(loop).match(/^systemctl .*$/gm);
  expect(restarts()).toEqual(['systemctl restart booking@one', 'systemctl restart booking@two']);
  writeFileSync(join(place, 'bin', 'curl'), '#!/bin/sh\nexit 1\n');
  expect(restarts()).toEqual(['systemctl restart booking@one']);
});

test('RELEASE names the folder in which `booking` runs a command', () => {
  const runs = (RELEASE: string) =>
    execFileSync('sh', ['deploy/bin/booking', 'migrate'], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${place}/bin:${process.env.PATH}`, RELEASE },
    });
  expect(runs('/srv/booking-2')).toContain(' --working-directory=/srv/booking-2 ');
  expect(runs('')).toContain(' --working-directory=/srv/booking ');
});
