import { randomUUID } from 'node:crypto';
import type { Described, Schema } from './document';

export type Variant = {
  operation: string;
  what: string;
  method: string;
  path: string;
  headers: Record<string, string | string[]>;
  body: string | Buffer | undefined;
  /** False if the request is only unusual, so that a server may accept it. */
  malformed: boolean;
  /** Must not occur in the response. */
  marker: string;
};

/** Well-formed, but names no existing record. */
export type Base = {
  path: string;
  query: [string, string][];
  headers: Record<string, string>;
  body: Record<string, unknown> | null;
};

/** Returns the well-formed request of an operation, whose parts are changed. */
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

export const withQuery = (path: string, parts: readonly string[]) =>
  parts.length > 0 ? `${path}?${parts.join('&')}` : path;
export const escapedPairs = (query: readonly (readonly [string, string])[]) =>
  query.map((pair) => pair.map(encodeURIComponent).join('='));

/** The buffer replaces lone surrogates, for which encodeURIComponent would throw an error. */
export function percentEncode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

/** Returns the paths and schemas of all fields of a body, including nested ones. */
export function fieldsOf(schema: Schema, prefix: string[] = []): { path: string[]; schema: Schema }[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const path = [...prefix, name];
    return [{ path, schema: part }, ...fieldsOf(part, path)];
  });
}

/** Returns a copy of a body with one field replaced, or removed if `value` is undefined. */
export function replaceField(
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

/** `malformed` is true by default. */
export type Part = Partial<Pick<Variant, 'path' | 'headers' | 'body' | 'malformed'>>;

/** Malformed only if it is blank, too long, or contains characters of the Unicode category C. */
const FREE_TEXT = new Set(['name', 'external_reference']);

/** Returns whether a value can be valid for a field, so that its variant is not malformed. */
export function isAcceptable(name: string, schema: Schema, value: unknown): boolean {
  if (value === null) return schema.nullable === true;
  if (typeof value === 'boolean') return schema.type === 'boolean' && value;
  if (typeof value === 'number') {
    const { type, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
    return (type === 'integer' || type === 'number') && value >= minimum && value <= maximum;
  }
  if (typeof value !== 'string' || !FREE_TEXT.has(name)) return false;
  return value.trim() !== '' && value.length <= (schema.maxLength ?? 0) && !/[\p{C}]/u.test(value);
}
