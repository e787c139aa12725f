import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { generateKey, startOfKey } from '@/lib/access/applications/key-format';
import { MAX_DIRECTORY, nginxOf, parseDirectory } from '@/lib/operations/cells';
import { CELL_OF_KEY, START_OF_KEY } from '@/lib/platform/cell-id';

beforeAll(() => {
  Object.assign(process.env, { DATABASE_URL: 'postgresql://localhost/none', SECRET_KEY: 'x'.repeat(32) });
});

const cell = (number: number) => [`10.0.0.${number}:3001`];
const VALID = { home: 'eu01', cells: { eu01: cell(1), eu02: cell(2) } };

test('the expressions of the map read the cell and the start of a key, and of nothing else', () => {
  const read = (source: string, text: string) => new RegExp(`^${source}$`, 'i').exec(text)?.groups ?? null;
  const key = generateKey('eu02');
  expect(read(CELL_OF_KEY, key)).toEqual({ cell: 'eu02' });
  for (const other of ['', `${key}x`, key.slice(0, -1), generateKey('')]) expect(read(CELL_OF_KEY, other)).toBeNull();
  for (const one of [key, generateKey('')]) expect(read(START_OF_KEY, one)).toEqual({ start: startOfKey(one) });
  for (const other of ['', `${key}x`, startOfKey(key)]) expect(read(START_OF_KEY, other)).toBeNull();
});

test('the map sends the keys of moved tenants to the cell of the directory, without the secret part of a key', () => {
  const key = generateKey('eu01');
  const map = nginxOf(parseDirectory(JSON.stringify({ ...VALID, keys: { [startOfKey(key)]: 'eu02' } })));
  expect(map).toContain(`\t${startOfKey(key).toLowerCase()} cell_eu02;\n`);
  expect(map.toLowerCase()).not.toContain(key.toLowerCase().slice(0, startOfKey(key).length + 1));
});

const many = (count: number, value: unknown, name: (i: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), value]));
/** Returns a text in the format of a key. */
const generateKeyText = () => `pbk_live_eu01${'hunter2'.padEnd(38, 'x')}`;
const INVALID: [string, unknown, string][] = [
  ['a text', 'hunter2', 'the file'],
  ['no home', { ...VALID, home: undefined }, 'home'],
  ['an unknown home', { ...VALID, home: 'hun7' }, 'home: must be one of the cells'],
  ['a cell id in capitals', { ...VALID, cells: { ...VALID.cells, HUN7: cell(3) } }, 'cells.HUN7'],
  ['a cell without servers', { ...VALID, cells: { eu01: [] } }, 'cells.eu01'],
  [
    'a server that injects a directive',
    { ...VALID, cells: { eu01: ['a:1; include /hunter2;'] } },
    'cells.eu01.0: must be host:port',
  ],
  ['a whole key', { ...VALID, keys: { [generateKeyText()]: 'eu01' } }, 'keys'],
  [
    'a key in an unknown cell',
    { ...VALID, keys: { pbk_live_eu01aB3dE9fG: 'hun7' } },
    'keys.pbk_live_eu01aB3dE9fG: must',
  ],
  ['an unknown field', { ...VALID, cell: {} }, 'the file'],
  [
    'too many cells',
    { ...VALID, cells: many(1_001, cell(1), (i) => String(i).padStart(4, '0')) },
    'cells: must have at most 1000 cells',
  ],
];

test.each(INVALID)('a directory with %s is refused without its values', (_, value, expected) => {
  const parse = () => parseDirectory(JSON.stringify(value));
  expect(parse).toThrow(`Invalid cell directory: ${expected}`);
  expect(parse).not.toThrow(/hunter2\.example|include|hun7/);
});

test('a directory that is not JSON is refused', () => {
  expect(() => parseDirectory('{"home":')).toThrow('not valid JSON');
});

const run = promisify(execFile);
const cells = (...args: string[]) => run(process.execPath, ['scripts/launch.mjs', 'cells', ...args]);
const FILE = 'deploy/nginx/cells.json';

test('npm run cells prints the configuration in deploy/nginx', async () => {
  const [{ stdout }, conf, page, json] = await Promise.all([
    cells(FILE),
    ...['deploy/nginx/cells.conf', 'docs/cells.md', FILE].map((path) => readFile(path, 'utf8')),
  ]);
  expect(stdout).toBe(conf);
  expect(page).toContain(`\`\`\`json\n${json}\`\`\``);
});

test('npm run cells states what is wrong', async () => {
  const large = join(await mkdtemp(join(tmpdir(), 'cells-')), 'large.json');
  onTestFinished(() => rm(dirname(large), { recursive: true }));
  await writeFile(large, ' '.repeat(MAX_DIRECTORY + 1));
  const wrong: [string[], string][] = [
    [[], 'Specify a file'],
    [[FILE, 'more'], 'Specify a file'],
    [['none.json'], 'cannot be read (ENOENT)'],
    [[large], 'larger than 16 MiB'],
  ];
  const failures = wrong.map(async ([args, problem]) => {
    const failed = await cells(...args).catch((error: { code: number; stderr: string }) => error);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(problem) });
  });
  await Promise.all(failures);
});
