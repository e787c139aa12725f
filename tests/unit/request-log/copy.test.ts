import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { counters } from '@/lib/activity/metrics/counters';
import { createCopy } from '@/lib/activity/request-log/copy';
import { logFile } from '@/lib/activity/request-log/log-file';
import { until } from '@/tests/support/until';
import { entriesFrom, entryOf, idsIn } from './entries';

let directory: string;
let path: string;
let files = 0;

beforeAll(async () => {
  const unused = { DATABASE_URL: 'postgresql://127.0.0.1:1/none', SECRET_KEY: 'x'.repeat(32) };
  Object.assign(process.env, { ...unused, METRICS_TOKEN: 'a-token-for-tests-only', LOG_LEVEL: 'silent' });
  directory = await mkdtemp(join(tmpdir(), 'log-copy-'));
});

beforeEach(() => {
  files += 1;
  path = join(directory, `requests-${files}.ndjson`);
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

const read = () => readFile(path, 'utf8');

/** Returns a function that appends entries to the file at once. */
function writer() {
  const { append, close } = logFile(path, 'REQUEST_LOG_FILE');
  const write = (first: number, count = 1) =>
    append(entriesFrom(first, count).map((entry) => `${JSON.stringify(entry)}\n`));
  return { write, close };
}

test('each entry is one line of JSON with all fields, and only the owner and the group can read the file', async () => {
  const { write, close } = writer();
  await write(1, 3);
  await close();
  expect((await read()).split('\n').map((line) => line && JSON.parse(line))).toEqual([...entriesFrom(1, 3), '']);
  expect((await stat(path)).mode & 0o777 & ~0o640).toBe(0);
});

test('after a rename, the next batch is in a new file; after a truncation, at its start', async () => {
  const { write, close } = writer();
  await write(1);
  await rename(path, `${path}.1`);
  await write(2);
  await truncate(path);
  await write(3);
  await rm(path);
  await write(4);
  await close();
  expect(idsIn(await readFile(`${path}.1`, 'utf8'))).toEqual(['req_1']);
  expect(idsIn(await read())).toEqual(['req_4']);
});

test('a truncated file has no hole', async () => {
  const { write, close } = writer();
  await write(1, 5);
  await truncate(path);
  await write(6);
  await close();
  expect(idsIn(await read())).toEqual(['req_6']);
});

test('a line that another process could write only in part is ended', async () => {
  const { write, close } = writer();
  await write(1);
  await appendFile(path, '{"request_id":"req_to');
  await write(2);
  await close();
  const [first, torn, second] = (await read()).split('\n');
  expect([first && JSON.parse(first), torn]).toEqual([entryOf(1), '{"request_id":"req_to']);
  expect(second && JSON.parse(second)).toEqual(entryOf(2));
});

test('a path that is a directory, a device, or in no directory fails, and works when it is corrected', async () => {
  await mkdir(path);
  const { write, close } = writer();
  await expect(write(1)).rejects.toThrow('EISDIR');
  await rm(path, { recursive: true });
  await write(1);
  await close();
  expect(idsIn(await read())).toEqual(['req_1']);
  const device = logFile('/dev/null', 'REQUEST_LOG_FILE');
  await expect(device.append(['x\n'])).rejects.toThrow('must be the path of a regular file');
  const nowhere = logFile(join(directory, 'none', 'file'), 'REQUEST_LOG_FILE');
  await expect(nowhere.append(['x\n'])).rejects.toThrow('ENOENT');
});

/** Starts a process that writes `count` entries to the file. The process cannot make a file larger than `limit` KiB. */
function startWriter(first: number, count: number, limit: string) {
  const program = ['--import', 'tsx', 'tests/unit/request-log/writer.ts', path, String(first), String(count)];
  const command = `ulimit -S -f ${limit}; exec "$0" "$@"`;
  const child = spawn('bash', ['-c', command, process.execPath, ...program], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return { ended: once(child, 'exit').then(([code]) => code) };
}

test('several processes write whole lines to one file', async () => {
  const writers = [0, 1, 2].map((i) => startWriter(i * 10_000, 10_000, 'unlimited'));
  expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([0, 0, 0]);
  const ids = idsIn(await read());
  expect(ids).toHaveLength(30_000);
  expect(new Set(ids).size).toBe(30_000);
});

test('entries wait while the file cannot grow, and none is lost', async () => {
  const { ended } = startWriter(0, 2_000, '64');
  // The size limit of 64 KiB lets the process write only a part of a batch to the file, as if the disk were full.
  await until(
    () =>
      stat(path).then(
        ({ size }) => size,
        () => 0,
      ),
    (size) => size === 64 * 1024,
  );
  // Whenever the file is full, the test renames it. The writer then continues with a new file at the same path.
  const parts: string[] = [];
  let code: number | null = null;
  void ended.then((value) => (code = value));
  const all = await until(
    async () => {
      const full = await stat(path).catch(() => null);
      if (full?.size === 64 * 1024 || code === 0) {
        await rename(path, `${path}.${parts.length}`);
        parts.push(await readFile(`${path}.${parts.length}`, 'utf8'));
      }
      return code;
    },
    (value) => value !== null,
  );
  expect(all).toBe(0);
  expect(parts.length).toBeGreaterThan(5);
  const lines = parts.flatMap((text) => text.split('\n'));
  const whole = lines.filter((line) => line.endsWith('}'));
  const ids = new Set(whole.map((line) => (JSON.parse(line) as { request_id: string }).request_id));
  expect(ids.size).toBe(2_000);
});

/** Returns how many entries of the copy have been counted with this result. */
async function counted(result: 'written' | 'dropped'): Promise<number> {
  const { values } = (await counters()?.copiedEntries.get()) ?? { values: [] };
  return values.find(({ labels }) => labels.result === result)?.value ?? 0;
}

test('a stop writes the waiting entries in order', async () => {
  const before = await counted('written');
  const copy = createCopy(path, { collect: 60_000 });
  for (const entry of entriesFrom(1, 5_000)) copy.offer(entry);
  expect(copy.waiting()).toBe(5_000);
  await copy.close(30_000);
  expect(copy.waiting()).toBe(0);
  expect(idsIn(await read())).toEqual(entriesFrom(1, 5_000).map(({ request_id }) => request_id));
  expect((await counted('written')) - before).toBe(5_000);
});

test('memory is bounded: entries above the limit are dropped and counted, and a stop drops what it cannot write', async () => {
  await mkdir(path);
  const before = await counted('dropped');
  const copy = createCopy(path, { collect: 1, waiting: 20_000 });
  for (const entry of entriesFrom(1, 1_000)) copy.offer(entry);
  const kept = copy.waiting();
  expect(kept).toBeGreaterThan(10);
  expect(kept).toBeLessThan(100);
  expect((await counted('dropped')) - before).toBe(1_000 - kept);
  await copy.close(30_000);
  expect((await counted('dropped')) - before).toBe(1_000);
  copy.offer(entryOf(1));
  expect(copy.waiting()).toBe(0);
});

test('entries that could not be written are written later, or at the latest by a stop', async () => {
  await mkdir(path);
  const copies = [createCopy(path, { collect: 1, pause: 5 }), createCopy(path, { collect: 1, pause: 3_600_000 })];
  for (const [index, copy] of copies.entries()) copy.offer(entryOf(index));
  await delay(100);
  expect(copies.map((copy) => copy.waiting())).toEqual([1, 1]);
  await rm(path, { recursive: true });
  await until(
    () => read().catch(() => ''),
    (text) => idsIn(text).length === 1,
  );
  await Promise.all(copies.map((copy) => copy.close(30_000)));
  expect(idsIn(await read())).toEqual(['req_0', 'req_1']);
});
