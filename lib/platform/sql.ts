import type pg from 'pg';

/**
 * SQL with named, typed parameters. A statement is compiled once, when its module is loaded:
 *
 *     const FIND = statement<BookingRow>('booking-find')`
 *       SELECT * FROM bookings WHERE reference = ${param.text('reference')}`;
 *     const { rows } = await client.query(bind(FIND, { reference }));
 *
 * TypeScript rejects a missing, unknown, or wrongly typed value. A parameter that occurs several times is sent once.
 */

/** `Value` is the TypeScript type of its values. */
interface Parameter<Name extends string, Value> {
  readonly parameter: Name;
  readonly type: string;
  readonly valueType?: Value;
}

type Chunk = string | { readonly parameter: string; readonly type: string };

/** A piece of SQL. `Values` is the type of the values for its parameters. */
export interface Sql<Values> {
  readonly chunks: readonly Chunk[];
  /** Never set. It makes `Sql` contravariant in `Values`, so that a piece may need fewer values than are supplied. */
  readonly needs?: (values: Values) => void;
}

/** If it has a name, each connection parses it only once. */
export interface Statement<Values, Row> {
  readonly name: string | undefined;
  readonly text: string;
  /** In the order of $1, $2, and so on. */
  readonly parameters: readonly string[];
  readonly needs?: (values: Values) => void;
  readonly row?: Row;
}

/** A number becomes a constant in the SQL text, for example for a LIMIT. */
type Part = Parameter<string, unknown> | Sql<never> | number;
type ValuesOf<P> =
  P extends Parameter<infer Name, infer Value> ? { [K in Name]: Value } : P extends Sql<infer Values> ? Values : never;
type Intersection<U> = (U extends unknown ? (member: U) => void : never) extends (member: infer I) => void ? I : never;
type Needed<Parts extends readonly Part[]> = {
  [K in keyof Intersection<ValuesOf<Parts[number]>>]: Intersection<ValuesOf<Parts[number]>>[K];
};

const ofType =
  <Value>(type: string) =>
  <const Name extends string>(name: Name): Parameter<Name, Value> => ({ parameter: name, type });

/** One function per PostgreSQL type: `${param.int('version')}` becomes `$3::int`. */
export const param = {
  boolean: ofType<boolean>('boolean'),
  bigint: ofType<number | bigint>('bigint'),
  bigints: ofType<readonly (number | bigint)[]>('bigint[]'),
  bytea: ofType<Buffer>('bytea'),
  date: ofType<string>('date'),
  dates: ofType<readonly string[]>('date[]'),
  int: ofType<number>('int'),
  ints: ofType<readonly number[]>('int[]'),
  /** A JSON string. */
  json: ofType<string>('json'),
  jsonb: ofType<string>('jsonb'),
  smallint: ofType<number>('smallint'),
  text: ofType<string>('text'),
  texts: ofType<readonly string[]>('text[]'),
  /** A local time, such as `09:30`. */
  time: ofType<string>('time'),
  times: ofType<readonly string[]>('time[]'),
  timestamptz: ofType<Date>('timestamptz'),
  timestamptzs: ofType<readonly Date[]>('timestamptz[]'),
  /** An ISO 8601 timestamp. */
  timestamptzText: ofType<string>('timestamptz'),
  tstzmultiranges: ofType<readonly string[]>('tstzmultirange[]'),
  uuid: ofType<string>('uuid'),
  uuids: ofType<readonly string[]>('uuid[]'),
  optionalUuids: ofType<readonly (string | null)[]>('uuid[]'),
  byteas: ofType<readonly Buffer[]>('bytea[]'),
};

/** Returns the same parameter, except that its value can be null. */
export function nullable<Name extends string, Value>(of: Parameter<Name, Value>): Parameter<Name, Value | null> {
  return { parameter: of.parameter, type: of.type };
}

/** Returns a piece of SQL. Only parameters, other pieces, and numbers can be interpolated, never strings. */
export function sql<const Parts extends readonly Part[]>(
  strings: TemplateStringsArray,
  ...parts: Parts
): Sql<Needed<Parts>> {
  return { chunks: chunksOf(strings, parts) };
}

function chunksOf(strings: TemplateStringsArray, parts: readonly Part[]): Chunk[] {
  return strings.flatMap((text, index) => {
    const part = parts[index];
    if (part === undefined) return [text];
    if (typeof part === 'number') return [`${text}${part}`];
    return 'chunks' in part ? [text, ...part.chunks] : [text, part];
  });
}

/** Returns the text of a piece of SQL without parameters. */
export function textOf({ chunks }: Sql<never>): string {
  return chunks.filter((chunk) => typeof chunk === 'string').join('');
}

/** Joins pieces of SQL with a separator. */
export function join<Values>(pieces: readonly Sql<Values>[], separator: string): Sql<Values> {
  return { chunks: pieces.flatMap(({ chunks }, index) => (index === 0 ? chunks : [separator, ...chunks])) };
}

/**
 * Returns the conditions of the values that are set, joined by AND. A value that is null gets no condition, so that the
 * planner can choose the index of the others.
 */
export function whereSet<V extends object, Values>(
  values: V,
  conditions: { [K in keyof V]?: Sql<Values> | ((value: NonNullable<V[K]>) => Sql<Values>) },
  further: readonly Sql<Values>[] = [],
): Sql<Values> {
  const set = (Object.keys(conditions) as (keyof V)[]).flatMap((name) => {
    const [value, condition] = [values[name], conditions[name]];
    if (value === null || value === undefined || condition === undefined) return [];
    return [typeof condition === 'function' ? condition(value) : condition];
  });
  return join([...set, ...further], ' AND ');
}

/** Returns a template tag for a statement. Without a name, PostgreSQL makes a new plan for each execution. */
export function statement<Row>(name?: string) {
  return <const Parts extends readonly Part[]>(
    strings: TemplateStringsArray,
    ...parts: Parts
  ): Statement<Needed<Parts>, Row> => {
    const parameters: string[] = [];
    const place = (parameter: string) => {
      if (!parameters.includes(parameter)) parameters.push(parameter);
      return parameters.indexOf(parameter) + 1;
    };
    const text = chunksOf(strings, parts)
      .map((chunk) => (typeof chunk === 'string' ? chunk : `$${place(chunk.parameter)}::${chunk.type}`))
      .join('');
    return { name, text, parameters };
  };
}

/** Returns the query to pass to `client.query` of `pg`. */
export function bind<Values extends object, Row>(
  { name, text, parameters }: Statement<Values, Row>,
  values: NoInfer<Values>,
): pg.QueryConfig<unknown[]> {
  return { name, text, values: parameters.map((parameter): unknown => Reflect.get(values, parameter)) };
}
