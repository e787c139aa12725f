import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyBackup } from '@/lib/operations/backup/copy';
import { backupName, isDirectory, newestBackup, pruneBackups } from '@/lib/operations/backup/directory';
import { readBackupOptions } from '@/lib/operations/backup/file';

const day = (number: number) => new Date(Date.UTC(2026, 10, number, 2, 30, 0, 123));

let directory = '';

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'backups-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

const place = (...names: string[]) => {
  for (const name of names) writeFileSync(join(directory, name), '');
};

test('names of backups sort by time and tell the environments apart', () => {
  expect(backupName('LIVE', day(29))).toBe('booking-live-20261129T023000Z.gz');
  expect(backupName('TEST', day(29))).toBe('booking-test-20261129T023000Z.gz');
});

test('retention removes only the oldest backups of its environment, and what killed runs have left', async () => {
  const [first = '', second = '', third = '', fourth = ''] = [1, 2, 3, 4].map((number) =>
    backupName('LIVE', day(number)),
  );
  const others = ['booking-live.gz', 'notes.txt', `${first}.asc`, backupName('TEST', day(1))];
  place(first, second, third, `${second}.new`, `${fourth}.new`, ...others);
  expect(await newestBackup(directory, 'LIVE', day(5))).toBe(join(directory, third));
  expect(await pruneBackups(directory, 'LIVE', 4, third)).toEqual([]);
  expect(await pruneBackups(directory, 'LIVE', 3, third)).toEqual([]);
  expect((await pruneBackups(directory, 'LIVE', 1, third)).sort()).toEqual([first, second, `${second}.new`]);
  expect(readdirSync(directory).sort()).toEqual([...others, third, `${fourth}.new`].sort());
  await expect(newestBackup(tmpdir(), 'LIVE', day(5))).rejects.toThrow(
    / has no backup of LIVE that npm run backup named\.$/,
  );
  expect([await isDirectory(directory), await isDirectory(join(directory, third)), await isDirectory('/none')]).toEqual(
    [true, false, false],
  );
});

test('the backup that was just made stays, also beside names from the future, directories, and links', async () => {
  const [old = '', made = '', future = ''] = [1, 2, 30].map((number) => backupName('LIVE', day(number)));
  const [folder, link] = ['booking-live-20250101T000000Z.gz', 'booking-live-20250102T000000Z.gz'];
  place(old, made, future, `${future}.new`);
  mkdirSync(join(directory, folder));
  symlinkSync(join(directory, made), join(directory, link));
  expect(await newestBackup(directory, 'LIVE', day(3))).toBe(join(directory, made));
  expect(await pruneBackups(directory, 'LIVE', 1, made)).toEqual([old]);
  expect(readdirSync(directory).sort()).toEqual([folder, link, made, future, `${future}.new`].sort());
});

test.each([
  [['b.gz'], { path: 'b.gz', keep: null, copy: null }],
  [['/b', '--keep', '14', '--copy', '/c'], { path: '/b', keep: 14, copy: '/c' }],
  [['/b', '--keep', '14', '--keep', '30'], { path: '/b', keep: 30, copy: null }],
])('the arguments %j are read', (args, expected) => {
  expect(readBackupOptions(args)).toEqual(expected);
});

test.each([
  [[], /^Specify one file or directory: /],
  [['a', 'b'], /^Specify one file or directory: /],
  [['a', '--other'], /^Specify one file or directory: /],
  [['a', '--keep', '0'], /^--keep must be a whole number from 1 to 10000\.$/],
  [['a', '--keep', '1.5'], /^--keep must be a whole number/],
  [['a', '--keep', 'all'], /^--keep must be a whole number/],
  [['a', '--copy', ''], /^--copy must be the path of a program\.$/],
])('the arguments %j are refused', (args, message) => {
  expect(() => readBackupOptions(args)).toThrow(message);
});

test('the program that copies gets the path and no setting of this system', async () => {
  const program = join(directory, 'copy');
  const { signal } = new AbortController();
  writeFileSync(program, `#!/bin/sh\n{ echo "$@"; env; } > ${join(directory, 'seen')}\n`, { mode: 0o755 });
  const before = process.env;
  process.env = { ...before, SECRET_KEY: 'hidden', MIGRATION_DATABASE_URL_FILE: 'hidden', BACKUP_REMOTE: 'elsewhere' };
  try {
    await copyBackup(program, '/b/a name.gz', signal);
  } finally {
    process.env = before;
  }
  const seen = readFileSync(join(directory, 'seen'), 'utf8');
  expect(seen).toMatch(/^\/b\/a name\.gz\n/);
  expect(seen).toContain('BACKUP_REMOTE=elsewhere\n');
  expect(seen).not.toContain('hidden');
  writeFileSync(program, '#!/bin/sh\nexit 3\n');
  await expect(copyBackup(program, '/b/c.gz', signal)).rejects.toThrow(/ ended with 3: .*\/b\/c\.gz is complete, but /);
  writeFileSync(program, '#!/bin/sh\ntrap "" TERM\nexec sleep 60\n');
  await expect(copyBackup(program, '/b/c.gz', signal, 200)).rejects.toThrow(/ did not end in time: .* is not recorded/);
  await expect(copyBackup(join(directory, 'none'), '/b/c.gz', signal)).rejects.toThrow(/ cannot be run \(ENOENT\): /);
});
