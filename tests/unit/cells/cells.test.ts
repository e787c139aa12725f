import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateKey, startOfKey } from '@/lib/access/applications/key-format';
import { parseDirectory } from '@/lib/operations/cells/directory';
import { nginxOf } from '@/lib/operations/cells/nginx';
import { withMoved } from '@/lib/operations/cells/rewrite';
import { cellOfRequest, cellOfTenant } from '@/lib/operations/cells/route';
import { newId } from '@/lib/platform/ids';

beforeAll(() => {
  Object.assign(process.env, { DATABASE_URL: 'postgresql://localhost/none', SECRET_KEY: 'x'.repeat(32) });
});

const cell = (number: number) => ({ origin: `https://${number}.example`, servers: [`10.0.0.${number}:3001`] });
const tenant = newId('ten');
const VALID = { home: 'eu01', cells: { eu01: cell(1), eu02: cell(2) }, tenants: { [tenant]: 'eu02' } };
const directory = parseDirectory(JSON.stringify(VALID));

describe('a request', () => {
  test('goes to the cell in its key, whatever the case of the scheme', () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER '])
      for (const id of ['eu01', 'eu02']) expect(cellOfRequest(directory, `${scheme} ${generateKey(id)}`).id).toBe(id);
  });

  test('goes to the home cell if its key has no cell id or that of an unknown cell, or is not a key', () => {
    const key = generateKey('eu02');
    const others = [
      null,
      '',
      key,
      `Basic ${key}`,
      `Bearer ${key}x`,
      `Bearer ${key.slice(0, -1)}`,
      'Bearer pbk_test_eu02',
    ];
    for (const authorization of [...others, `Bearer ${generateKey('')}`, `Bearer ${generateKey('zz99')}`])
      expect(cellOfRequest(directory, authorization).id).toBe('eu01');
    fc.assert(fc.property(fc.string(), (text) => cellOfRequest(directory, text).id === 'eu01'));
    // The prototype of a Map has methods whose names have the format of a cell id, such as `keys`. These methods must
    // not be treated as cells.
    expect(cellOfRequest(directory, `Bearer ${key.replace('eu02', 'keys')}`).id).toBe('eu01');
  });
});

test('the key of a moved tenant goes to the cell of the directory, and no other key does', () => {
  const keys = ['eu01', 'eu02', ''].map((id) => generateKey(id));
  const cellOf: Record<string, string> = { [keys[0] ?? '']: 'eu02', [keys[1] ?? '']: 'eu01', [keys[2] ?? '']: 'eu02' };
  const moved = parseDirectory(
    JSON.stringify({ ...VALID, keys: Object.fromEntries(keys.map((key) => [startOfKey(key), cellOf[key]])) }),
  );
  for (const key of keys) {
    expect(cellOfRequest(moved, `Bearer ${key}`).id).toBe(cellOf[key]);
    expect(nginxOf(moved)).toContain(`\t${startOfKey(key).toLowerCase()} cell_${cellOf[key]};\n`);
    expect(nginxOf(moved)).not.toContain(key.slice(0, startOfKey(key).length + 1));
  }
  for (const other of ['eu01', 'eu02'].map((id) => generateKey(id)))
    expect(cellOfRequest(moved, `Bearer ${other}`)).toEqual(cellOfRequest(directory, `Bearer ${other}`));
  for (const invalid of [`${keys[2]}x`, keys[2]?.slice(0, -1), startOfKey(keys[2] ?? '')])
    expect(cellOfRequest(moved, `Bearer ${invalid}`).id).toBe('eu01');
});

test('a directory names the cell of a moved tenant, and only the keys that do not lead there by themselves', () => {
  const starts = ['eu01', 'eu02', ''].map((id) => startOfKey(generateKey(id)));
  const [first = '', second = '', third = ''] = starts;
  const moved = (text: string, to: string) => withMoved(text, { tenantId: tenant, to, starts });
  const there = moved(JSON.stringify({ ...VALID, keys: { pbk_test_eu01aB3dE9fG: 'eu02' } }), 'eu02');
  const keys = { pbk_test_eu01aB3dE9fG: 'eu02', [first]: 'eu02', [third]: 'eu02' };
  expect(JSON.parse(there)).toEqual({ ...VALID, tenants: { [tenant]: 'eu02' }, keys });
  const back = moved(there, 'eu01');
  const left = { pbk_test_eu01aB3dE9fG: 'eu02', [second]: 'eu01' };
  expect(JSON.parse(back)).toEqual({ ...VALID, tenants: { [tenant]: 'eu01' }, keys: left });
});

test('a tenant has the origin of its cell, and an unknown tenant has none', () => {
  expect(cellOfTenant(directory, tenant)?.origin).toBe('https://2.example');
  for (const unknown of [newId('ten'), 'constructor', '']) expect(cellOfTenant(directory, unknown)).toBeNull();
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
  [
    'a path in an origin',
    { ...VALID, cells: { eu01: { ...cell(1), origin: 'https://hunter2.example/x' } } },
    'cells.eu01.origin',
  ],
  ['a cell without servers', { ...VALID, cells: { eu01: { ...cell(1), servers: [] } } }, 'cells.eu01.servers'],
  [
    'a server that injects a directive',
    { ...VALID, cells: { eu01: { ...cell(1), servers: ['a:1; include /hunter2;'] } } },
    'cells.eu01.servers.0: must be host:port',
  ],
  [
    'a tenant in an unknown cell',
    { ...VALID, tenants: { [tenant]: 'hun7' } },
    `tenants.${tenant}: must be one of the cells`,
  ],
  ['a whole key', { ...VALID, keys: { [generateKeyText()]: 'eu01' } }, 'keys'],
  [
    'a key in an unknown cell',
    { ...VALID, keys: { pbk_live_eu01aB3dE9fG: 'hun7' } },
    'keys.pbk_live_eu01aB3dE9fG: must',
  ],
  ['a tenant that is no id', { ...VALID, tenants: { hunter2: 'eu01' } }, 'tenants'],
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

test('a directory that is not JSON, or too large, is refused', () => {
  expect(() => parseDirectory('{"home":')).toThrow('not valid JSON');
  expect(() => parseDirectory(' '.repeat(16 * 1024 * 1024 + 1))).toThrow('larger than 16 MiB');
});

const run = promisify(execFile);
const cells = (...args: string[]) => run(process.execPath, ['scripts/launch.mjs', 'cells', ...args]);
const FILE = 'deploy/nginx/cells.json';

test('npm run cells prints the configuration in deploy/nginx, and the origin of a tenant', async () => {
  const [{ stdout: nginx }, { stdout: origin }, conf, page, json] = await Promise.all([
    cells('nginx', FILE),
    cells('tenant', FILE, 'ten_01jgfjjzz8e008000000000002'),
    ...['deploy/nginx/cells.conf', 'docs/cells.md', FILE].map((path) => readFile(path, 'utf8')),
  ]);
  expect(nginx).toBe(conf);
  expect(nginx).toBe(nginxOf(parseDirectory(json ?? '')));
  expect(origin).toBe('https://eu02.booking.example\n');
  expect(page).toContain(`\`\`\`json\n${json}\`\`\``);
});

test('npm run cells states what is wrong', async () => {
  const wrong: [string[], string][] = [
    [['nginx', FILE, 'more'], 'The commands are'],
    [['tenant', FILE, 'ten_unknown'], 'TENANT must be the id of a tenant (ten_…).'],
    [['tenant', FILE, newId('ten')], 'does not contain this tenant'],
    [['nginx', 'none.json'], 'cannot be read (ENOENT)'],
  ];
  const failures = wrong.map(async ([args, problem]) => {
    const failed = await cells(...args).catch((error: { code: number; stderr: string }) => error);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(problem) });
  });
  await Promise.all(failures);
});
