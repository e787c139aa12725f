import type { Described } from './document';
import {
  EXTREME_DATES,
  HOSTILE_ESCAPES,
  HOSTILE_TEXTS,
  HOSTILE_VALUES,
  outOfBounds,
  randomText,
  withMarker,
} from './hostile-values';
import {
  type Base,
  escapedPairs,
  fieldsOf,
  isAcceptable,
  type Part,
  percentEncode,
  replaceField,
  withQuery,
} from './variant-parts';

/** Per round, for each query parameter, each field of the body, and the path parameter. */
const RANDOM = 20;

/** Yields requests with a malformed query. */
export function* queryVariants({ parameters }: Described, base: Base, marker: string): Generator<[string, Part]> {
  const pairs = escapedPairs(base.query);
  for (const { name, schema, required } of parameters.filter((one) => one.in === 'query')) {
    const others = escapedPairs(base.query.filter(([other]) => other !== name));
    yield [`${name} missing`, { path: withQuery(base.path, others), malformed: required === true }];
    yield [`${name} repeated`, { path: withQuery(base.path, [...others, `${name}=${marker}`, `${name}=${marker}`]) }];
    for (const text of [...HOSTILE_TEXTS, ...outOfBounds(schema).map(String)]) {
      const path = withQuery(base.path, [...others, `${name}=${percentEncode(text)}${marker}`]);
      yield [`hostile value in ${name}`, { path }];
    }
    for (const raw of HOSTILE_ESCAPES) {
      yield [
        `hostile escape sequence in ${name}`,
        { path: withQuery(base.path, [...others, `${name}=${raw}${marker}`]) },
      ];
    }
  }
  yield* dateVariants(parameters, base);
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

/** Yields queries whose dates are all at an end of the calendar. Each is well-formed, so it reaches the database. */
function* dateVariants(parameters: Described['parameters'], base: Base): Generator<[string, Part]> {
  const dated = parameters.filter((one) => one.in === 'query' && /^\d{4}-\d\d-\d\d/.test(String(one.example)));
  if (dated.length === 0) return;
  const others = escapedPairs(base.query.filter(([name]) => !dated.some((one) => one.name === name)));
  for (const date of EXTREME_DATES) {
    const dates = dated.map(({ name, example }): [string, string] => [
      name,
      String(example).replace(/^\d{4}-\d\d-\d\d/, date),
    ]);
    yield [
      'dates at an end of the calendar',
      { path: withQuery(base.path, [...others, ...escapedPairs(dates)]), malformed: false },
    ];
  }
}

/** Yields requests with unusual headers and, for writes, requests with malformed headers. */
export function* headerVariants(base: Base, marker: string): Generator<[string, Part]> {
  const set = (name: string, value: string | string[]) => ({ headers: { ...base.headers, [name]: value } });
  const harmless = (name: string, value: string) => ({ ...set(name, value), malformed: false });
  for (const value of ['', marker, `;${marker}`, 'x'.repeat(5_000), '*;q=9', '-', 'en;q=x']) {
    yield ['hostile Accept-Language header', harmless('accept-language', value)];
    yield ['hostile Accept header', harmless('accept', value)];
    yield ['hostile Origin header', harmless('origin', value)];
    yield ['hostile X-Forwarded-For header', harmless('x-forwarded-for', value)];
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
    yield ['hostile Idempotency-Key header', set('idempotency-key', value)];
  }
  for (const value of [
    '',
    'text/plain',
    'application/xml',
    `application/${marker}`,
    'application/json; charset=utf-16',
    'multipart/form-data',
  ]) {
    yield ['hostile Content-Type header', set('content-type', value)];
  }
}

/** Yields requests with a malformed body. */
export function* bodyVariants({ body }: Described, base: Base, marker: string): Generator<[string, Part]> {
  if (!body || !base.body) return;
  const good = base.body;
  for (const { path, schema } of fieldsOf(body.schema)) {
    const name = path.join('.');
    const field = path.at(-1) ?? '';
    const needed = path.length > 1 || (body.schema.required ?? []).includes(field);
    const others = (body.schema.required ?? []).some((one) => one !== path[0]);
    yield [`${name} missing`, { body: JSON.stringify(replaceField(good, path)), malformed: needed }];
    for (const plain of [...HOSTILE_VALUES, ...HOSTILE_TEXTS, ...outOfBounds(schema)]) {
      const value = withMarker(plain, marker);
      const malformed = !isAcceptable(field, schema, value);
      yield [`hostile value in ${name}`, { body: JSON.stringify(replaceField(good, path, value)), malformed }];
      const alone = JSON.stringify(replaceField({}, path, value));
      yield [`hostile value in ${name}, the only field of the body`, { body: alone, malformed: malformed || others }];
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
  for (const one of whole) yield ['not a JSON object', { body: one }];
  yield ['nested deeply', { body: `${'['.repeat(5_000)}${']'.repeat(5_000)}` }];
  yield ['too large', { body: JSON.stringify({ ...good, external_reference: marker.repeat(1_500) }) }];
  for (const encoding of ['utf16le', 'latin1'] as const)
    yield [`${encoding}`, { body: Buffer.from(`${text}é${marker}`, encoding) }];
  yield [
    'invalid UTF-8',
    { body: Buffer.concat([Buffer.from(text.slice(0, 20)), Buffer.from([0xc0, 0xaf, 0xff]), Buffer.from(marker)]) },
  ];
}

/** Yields requests with a malformed path parameter. */
export function* pathVariants({ path }: Described, base: Base, marker: string): Generator<[string, Part]> {
  if (!path.includes('{')) return;
  const at = path.indexOf('{');
  const [before, after] = [path.slice(0, at), path.slice(path.indexOf('}') + 1)];
  const query = escapedPairs(base.query);
  const values = [...HOSTILE_ESCAPES, ...HOSTILE_TEXTS.map(percentEncode), '.', '..', '*', ';a=b'];
  for (const value of values) yield ['hostile path', { path: withQuery(`${before}${value}${marker}${after}`, query) }];
}

/** Yields requests with random text in one query parameter, in one field of the body, or in the path parameter. */
export function* randomVariants(operation: Described, base: Base, marker: string): Generator<[string, Part]> {
  const { parameters, path, body } = operation;
  const query = parameters.filter((one) => one.in === 'query');
  const fields = body ? fieldsOf(body.schema) : [];
  for (let i = 0; i < RANDOM; i += 1) {
    for (const { name } of query) {
      yield [
        `random value in ${name}`,
        { path: withQuery(base.path, [`${name}=${percentEncode(randomText())}${marker}`]) },
      ];
    }
    for (const { path: at, schema } of fields) {
      const value = randomText() + marker;
      const malformed = !isAcceptable(at.at(-1) ?? '', schema, value);
      yield [
        `random value in ${at.join('.')}`,
        { body: JSON.stringify(replaceField(base.body ?? {}, at, value)), malformed },
      ];
    }
    if (path.includes('{'))
      yield ['random path', { path: path.replace(/\{\w+\}/, () => percentEncode(randomText()) + marker) }];
  }
}
