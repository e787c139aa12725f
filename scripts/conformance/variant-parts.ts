import { randomUUID } from 'node:crypto';
import type { Described, Schema } from './document';

/** One request that no correct client sends: what is wrong with it, and what must not come back. */
export type Variant = {
  operation: string;
  what: string;
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body: string | Buffer | undefined;
  /** False where it is only odd, and a server may well accept it. */
  malformed: boolean;
  /** Occurs in what is sent, and so must not occur in the answer. */
  marker: string;
};

/** A request as it should be, with nothing of it pointing at a record that exists. */
export type Base = {
  path: string;
  query: [string, string][];
  headers: Record<string, string>;
  body: Record<string, unknown> | null;
};

/** Returns the request that variants of an operation are made from. */
export function baseOf({ path, parameters, body }: Described): Base {
  const exampleOf = (name: string) => String(parameters.find((one) => one.name === name)?.example ?? 'x');
  const required = parameters.filter((one) => one.in === 'query' && one.required);
  return {
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleOf(name))),
    query: required.map(({ name }) => [name, exampleOf(name)]),
    headers: body ? { 'content-type': 'application/json', 'idempotency-key': randomUUID() } : {},
    body: body && structuredClone(body.example),
  };
}

/** Returns a path with a query, if there is any. */
export const withQuery = (path: string, parts: readonly string[]) =>
  parts.length > 0 ? `${path}?${parts.join('&')}` : path;
/** Returns the pairs of a query, escaped. */
export const written = (query: readonly (readonly [string, string])[]) =>
  query.map((pair) => pair.map(encodeURIComponent).join('='));

/** Encodes even what is no well-formed text, as a client would that does not look. */
export function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

/** Every field of a body, those of objects inside included, by its path. */
export function fieldsOf(schema: Schema, prefix: string[] = []): { path: string[]; schema: Schema }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const path = [...prefix, name];
    return [{ path, schema: part }, ...fieldsOf(part, path)];
  });
}

/** Returns a copy with one field replaced, or without it when there is no value. */
export function replaced(
  body: Record<string, unknown>,
  path: readonly string[],
  value?: unknown,
): Record<string, unknown> {
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

/** What one variant changes: of its base, and whether that is malformed (it is unless said otherwise). */
export type Part = Partial<Pick<Variant, 'path' | 'headers' | 'body' | 'malformed'>>;

/** Fields that take any text: of these, hostile texts of the right length are odd, not malformed. */
const FREE_TEXT = new Set(['name', 'external_reference']);

/** Whether a field may well hold a value: such a variant is sent, but does not count as malformed. */
export function isAcceptable(name: string, schema: Schema, value: unknown): boolean {
  if (typeof value === 'boolean') return schema.type === 'boolean' && value;
  if (typeof value === 'number') {
    const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
    return (type === 'integer' || type === 'number') && value >= minimum && value <= maximum;
  }
  if (typeof value !== 'string' || !FREE_TEXT.has(name)) return false;
  return value.trim() !== '' && value.length <= (schema.maxLength ?? 0) && !/[\p{C}]/u.test(value);
}
