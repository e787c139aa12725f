import { randomUUID } from 'node:crypto';
import type { Described, Schema } from './document';
import { atBounds, HOSTILE_ESCAPES, HOSTILE_TEXTS, HOSTILE_VALUES, marked, randomText } from './hostile-values';

/** One malformed request: what is wrong with it, and what must not come back. */
export type Variant = {
  operation: string;
  what: string;
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body: string | Buffer | undefined;
  /** Occurs in what is sent, and so must not occur in the answer. */
  marker: string;
};

type Base = {
  path: string;
  query: [string, string][];
  headers: Record<string, string>;
  body: Record<string, unknown> | null;
};

function baseOf({ path, parameters, body }: Described): Base {
  const exampleOf = (name: string) => String(parameters.find((one) => one.name === name)?.example ?? 'x');
  const required = parameters.filter((one) => one.in === 'query' && one.required);
  return {
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleOf(name))),
    query: required.map(({ name }) => [name, exampleOf(name)]),
    headers: body ? { 'content-type': 'application/json', 'idempotency-key': randomUUID() } : {},
    body: body && structuredClone(body.example),
  };
}

const withQuery = (path: string, parts: readonly string[]) => (parts.length > 0 ? `${path}?${parts.join('&')}` : path);
const written = (query: readonly (readonly [string, string])[]) =>
  query.map((pair) => pair.map(encodeURIComponent).join('='));

/** Encodes even what is no well-formed text, as a client would that does not look. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

/** Every field of a body, those of objects inside included, by its path. */
function fieldsOf(schema: Schema, prefix: string[] = []): { path: string[]; schema: Schema }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const path = [...prefix, name];
    return [{ path, schema: part }, ...fieldsOf(part, path)];
  });
}

/** Returns a copy with one field replaced, or without it when there is no value. */
function replaced(body: Record<string, unknown>, path: readonly string[], value?: unknown): Record<string, unknown> {
  const copy = structuredClone(body);
  const parent = path.slice(0, -1).reduce<Record<string, unknown>>((at, name) => {
    at[name] ??= {};
    return at[name] as Record<string, unknown>;
  }, copy);
  const name = path.at(-1) ?? '';
  if (value === undefined) delete parent[name];
  else parent[name] = value;
  return copy;
}

type Part = Partial<Pick<Variant, 'path' | 'headers' | 'body'>>;

function* queryVariants({ parameters }: Described, base: Base, marker: string): Generator<[string, Part]> {
  const pairs = written(base.query);
  for (const { name, schema } of parameters.filter((one) => one.in === 'query')) {
    const others = written(base.query.filter(([other]) => other !== name));
    yield [`${name} missing`, { path: withQuery(base.path, others) }];
    yield [`${name} repeated`, { path: withQuery(base.path, [...others, `${name}=${marker}`, `${name}=${marker}`]) }];
    for (const text of [...HOSTILE_TEXTS, ...atBounds(schema).map(String)]) {
      yield [`${name} hostile`, { path: withQuery(base.path, [...others, `${name}=${encoded(text)}${marker}`]) }];
    }
    for (const raw of HOSTILE_ESCAPES) {
      yield [`${name} badly escaped`, { path: withQuery(base.path, [...others, `${name}=${raw}${marker}`]) }];
    }
  }
  for (const text of ['x', '__proto__', 'constructor', 'Service_Id', ...HOSTILE_ESCAPES]) {
    yield ['extra parameter', { path: withQuery(base.path, [...pairs, `${text}${marker}=${marker}`]) }];
  }
  yield [
    'many parameters',
    {
      path: withQuery(
        base.path,
        Array.from({ length: 60 }, (_, i) => `p${i}=${marker}`),
      ),
    },
  ];
}

function* headerVariants(base: Base, marker: string): Generator<[string, Part]> {
  const set = (name: string, value: string | string[]) => ({ headers: { ...base.headers, [name]: value } });
  for (const value of ['', marker, `;${marker}`, 'x'.repeat(5_000), '*;q=9', '-', 'en;q=x']) {
    yield ['Accept-Language hostile', set('accept-language', value)];
    yield ['Accept hostile', set('accept', value)];
    yield ['Origin hostile', set('origin', value)];
    yield ['X-Forwarded-For hostile', set('x-forwarded-for', value)];
  }
  if (!base.body) return;
  for (const value of [
    '',
    'short',
    `"${marker}`,
    `${marker} with spaces in it`,
    'x'.repeat(129),
    [marker.repeat(2), marker.repeat(2)],
  ]) {
    yield ['Idempotency-Key hostile', set('idempotency-key', value)];
  }
  for (const value of [
    '',
    'text/plain',
    'application/xml',
    `application/${marker}`,
    'application/json; charset=utf-16',
    'multipart/form-data',
  ]) {
    yield ['Content-Type hostile', set('content-type', value)];
  }
}

function* bodyVariants({ body }: Described, base: Base, marker: string): Generator<[string, Part]> {
  if (!body || !base.body) return;
  const good = base.body;
  for (const { path, schema } of fieldsOf(body.schema)) {
    const name = path.join('.');
    yield [`${name} missing`, { body: JSON.stringify(replaced(good, path)) }];
    for (const value of [...HOSTILE_VALUES, ...HOSTILE_TEXTS, ...atBounds(schema)]) {
      yield [`${name} hostile`, { body: JSON.stringify(replaced(good, path, marked(value, marker))) }];
      yield [`${name} hostile, alone`, { body: JSON.stringify(replaced({}, path, marked(value, marker))) }];
    }
    yield [`${name} twice`, { body: JSON.stringify(good).replace('{', `{${JSON.stringify(path[0])}:"${marker}",`) }];
  }
  for (const extra of ['x', '__proto__', 'constructor', 'service_ids', 'composition_mode', 'tenant_id', marker]) {
    yield ['extra field', { body: JSON.stringify(good).replace('{', `{${JSON.stringify(extra)}:"${marker}",`) }];
  }
  const text = JSON.stringify(good);
  const whole = [
    '',
    'null',
    '[]',
    '0',
    `"${marker}"`,
    '{',
    text.slice(0, -1),
    `${text}${text}`,
    `\ufeff${text}`,
    `${text},`,
  ];
  for (const one of whole) yield ['body that is none', { body: one }];
  yield ['nested deeply', { body: `${'['.repeat(5_000)}${']'.repeat(5_000)}` }];
  yield ['too large', { body: JSON.stringify({ ...good, external_reference: marker.repeat(1_500) }) }];
  for (const encoding of ['utf16le', 'latin1'] as const)
    yield [`${encoding}`, { body: Buffer.from(`${text}é${marker}`, encoding) }];
  yield [
    'invalid UTF-8',
    { body: Buffer.concat([Buffer.from(text.slice(0, 20)), Buffer.from([0xc0, 0xaf, 0xff]), Buffer.from(marker)]) },
  ];
}

function* pathVariants({ path }: Described, base: Base, marker: string): Generator<[string, Part]> {
  if (!path.includes('{')) return;
  const at = path.indexOf('{');
  const [before, after] = [path.slice(0, at), path.slice(path.indexOf('}') + 1)];
  const query = written(base.query);
  const values = [...HOSTILE_ESCAPES, ...HOSTILE_TEXTS.map(encoded), '.', '..', '*', ';a=b'];
  for (const value of values) yield ['path hostile', { path: withQuery(`${before}${value}${marker}${after}`, query) }];
}

/** Returns a source of markers: texts that no answer has a reason to hold, safe in paths and header values. */
const markerOf = (i: number) => `zq${i.toString(36).padStart(5, '0')}xv`;

/**
 * Returns malformed variants of every operation, at least `least` of them: each kind of value in each place, and then
 * again with random texts. None names a record that exists, so none can make or change a booking.
 */
export function* variantsOf(operations: readonly Described[], least: number): Generator<Variant> {
  let made = 0;
  for (let round = 0; made < least; round += 1) {
    const before = made;
    for (const operation of operations) {
      const kinds = [queryVariants, bodyVariants, pathVariants] as const;
      const all = function* (): Generator<[string, Part]> {
        const marker = markerOf(made);
        const base = baseOf(operation);
        for (const kind of kinds) yield* kind(operation, base, marker);
        yield* headerVariants(base, marker);
        if (round > 0) yield* randomVariants(operation, base, marker);
      };
      for (const [what, part] of all()) {
        const base = baseOf(operation);
        made += 1;
        yield {
          operation: operation.id,
          what,
          method: operation.method,
          path: part.path ?? withQuery(base.path, written(base.query)),
          headers: part.headers ?? base.headers,
          body: part.body ?? (base.body ? JSON.stringify({ ...base.body, external_reference: 'variant' }) : undefined),
          marker: JSON.stringify(part).match(/zq[0-9a-z]{5}xv/)?.[0] ?? 'zq-none-xv',
        };
      }
    }
    // A document without operations would never come to an end.
    if (made === before) return;
  }
}

function* randomVariants(operation: Described, base: Base, marker: string): Generator<[string, Part]> {
  for (const { name } of operation.parameters.filter((one) => one.in === 'query')) {
    for (let i = 0; i < 20; i += 1) {
      yield [`${name} random`, { path: withQuery(base.path, [`${name}=${encoded(randomText())}${marker}`]) }];
    }
  }
  for (const { path } of operation.body ? fieldsOf(operation.body.schema) : []) {
    for (let i = 0; i < 20; i += 1) {
      yield [
        `${path.join('.')} random`,
        { body: JSON.stringify(replaced(base.body ?? {}, path, randomText() + marker)) },
      ];
    }
  }
}
