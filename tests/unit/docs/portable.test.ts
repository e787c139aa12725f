import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { DOCUMENT, validator } from '@/tests/support/openapi';
import { hasProgram } from '@/tests/support/programs';

type Json = { [name: string]: unknown };
type Schema = Json & { type?: string | string[]; pattern?: string };

/** A schema in the OpenAPI document that has a `type`, with its JSON pointer and its examples. */
type Found = { pointer: string; schema: Schema; examples: unknown[] };

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const TYPES = new Set(['string', 'integer', 'array', 'number', 'boolean', 'object']);
/** Keywords whose values are data, not schemas. */
const DATA = new Set(['example', 'examples', 'default', 'const', 'enum', 'required', 'x-extensible-enum']);

const step = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');

function typesOf(schema: Schema): string[] {
  return [schema.type ?? []].flat().filter((type) => TYPES.has(type));
}

/**
 * Returns every schema with a `type` in a part of the OpenAPI document, together with the schema's examples. These
 * include the example of a parameter or header, which is next to its schema.
 * @param value the part of the document.
 * @param pointer the JSON pointer of `value`.
 * @param outer the example next to `value`, if `value` is the schema of a parameter or header.
 */
function schemasIn(value: unknown, pointer = '', outer: unknown[] = []): Found[] {
  if (!isObject(value)) return [];
  const schema = value as Schema;
  const examples = [...(Array.isArray(schema.examples) ? schema.examples : []), ...outer];
  const own = typesOf(schema).length > 0 ? [{ pointer, schema, examples }] : [];
  const inner = Object.entries(value).flatMap(([name, part]) => {
    if (DATA.has(name) && !pointer.endsWith('/properties')) return [];
    const given = name === 'schema' && 'example' in value ? [value.example] : [];
    return schemasIn(part, `${pointer}/${step(name)}`, given);
  });
  return [...own, ...inner];
}

const ALL = schemasIn(JSON.parse(JSON.stringify(DOCUMENT)));
const of = (type: string) => ALL.filter(({ schema }) => typesOf(schema).includes(type));

/** Every pattern, with the examples of all schemas that have this pattern. */
const PATTERNS = [...new Set(ALL.flatMap(({ schema }) => schema.pattern ?? []))].map((pattern) => {
  const examples = ALL.flatMap((found) => (found.schema.pattern === pattern ? found.examples : []));
  return { pattern, examples: [...new Set(examples)].filter((one) => typeof one === 'string') };
});

test('the document has schemas and patterns with examples', () => {
  expect(of('string').length).toBeGreaterThan(100);
  expect(of('integer').length).toBeGreaterThan(10);
  expect(of('array').length).toBeGreaterThan(8);
  expect(PATTERNS.length).toBeGreaterThan(10);
  expect(PATTERNS.filter(({ examples }) => examples.length > 0).length).toBeGreaterThan(12);
});

test.for(PATTERNS)('JavaScript compiles $pattern with and without u, and it matches its examples', (one) => {
  for (const flags of ['', 'u']) {
    const pattern = new RegExp(one.pattern, flags);
    for (const example of one.examples) expect(example).toMatch(pattern);
  }
});

test('patterns use no syntax that differs between languages', () => {
  for (const { pattern } of PATTERNS) expect(pattern).not.toMatch(/\\[pPdDwWsSbBuk]|\(\?/);
});

const PYTHON = `
import json, re, sys
for one in json.load(sys.stdin):
    try:
        compiled = re.compile(one["pattern"])
    except re.error as error:
        print("does not compile:", one["pattern"], error)
        continue
    for example in one["examples"]:
        if not compiled.search(example):
            print("does not match:", one["pattern"], json.dumps(example))
`;

if (hasProgram('python3', 1, 'the patterns in Python'))
  test('Python compiles every pattern, and it matches its examples', () => {
    const input = JSON.stringify(PATTERNS);
    const { status, stderr, stdout } = spawnSync('python3', ['-c', PYTHON], { input, encoding: 'utf8' });
    expect([status, stderr, stdout]).toEqual([0, '', '']);
  });

test('every string has a pattern, a format, or its values, and a maximum length', () => {
  const unbounded = of('string').filter(({ schema }) => {
    if (schema.const !== undefined || schema.enum !== undefined) return false;
    return (schema.pattern ?? schema.format) === undefined || !Number.isInteger(schema.maxLength);
  });
  expect(unbounded.map(({ pointer }) => pointer)).toEqual([]);
});

test('every integer has a minimum, a maximum, and a size, and every array a maximum length', () => {
  const integers = of('integer').filter(
    ({ schema }) =>
      !Number.isInteger(schema.minimum) || !Number.isInteger(schema.maximum) || schema.format === undefined,
  );
  expect(integers.map(({ pointer }) => pointer)).toEqual([]);
  const arrays = of('array').filter(({ schema }) => !Number.isInteger(schema.maxItems));
  expect(arrays.map(({ pointer }) => pointer)).toEqual([]);
  expect(of('number')).toEqual([]);
});

test('every example of a schema, a parameter, and a header matches its schema', () => {
  for (const { pointer, examples } of ALL) {
    const check = validator(pointer.replaceAll('{', '%7B').replaceAll('}', '%7D'));
    for (const example of examples) {
      expect(check(example), `${pointer} ${JSON.stringify(example)} ${JSON.stringify(check.errors)}`).toBe(true);
    }
  }
});

test('every timestamp in an example is in UTC with milliseconds, or has the offset of the location', () => {
  const text = JSON.stringify(DOCUMENT);
  const found = text.match(/\d{4}-\d\d-\d\dT[^"\\]*/g) ?? [];
  expect(found.length).toBeGreaterThan(20);
  for (const one of found) expect(one).toMatch(/T\d\d:\d\d:\d\d(?:\.\d{3}Z|[+-]\d\d:\d\d)$/);
});
