import type { Json } from '@/lib/contract/openapi/schemas';

/** These names would hide a global that the client uses. */
const RENAMED: Record<string, string> = { Error: 'ErrorDetail', Location: 'BusinessLocation' };

export const typeName = (schema: string) => RENAMED[schema] ?? schema;

/** Returns a JSDoc comment, or an empty string if there is no text. */
export function comment(text: unknown, indent = ''): string {
  return typeof text === 'string' && text ? `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n` : '';
}

const SIMPLE: Record<string, string> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));

const union = (parts: string[]) => [...new Set(parts)].join(' | ');

function arrayOf(items: string): string {
  return / [|&] /.test(items) ? `(${items})[]` : `${items}[]`;
}

/**
 * Returns the TypeScript type of a JSON Schema. Supports only the keywords that the OpenAPI document uses.
 * @throws Error for an unknown kind of schema, because a guessed type could accept too much
 */
export function typeOf(schema: Json, indent = ''): string {
  const { $ref, const: constant, enum: words, anyOf, allOf, type, items } = schema;
  if (typeof $ref === 'string') return typeName($ref.split('/').at(-1) ?? '');
  if (constant !== undefined) return literal(constant);
  if (Array.isArray(words)) return union(words.map(literal));
  if (Array.isArray(anyOf)) return union(anyOf.map((part) => typeOf(part as Json, indent)));
  if (Array.isArray(allOf)) return allOf.map((part) => typeOf(part as Json, indent)).join(' & ');
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one as string }, indent)));
  if (type === 'array') return arrayOf(typeOf((items ?? {}) as Json, indent));
  if (type === 'object') return objectOf(schema, indent);
  const simple = SIMPLE[String(type)];
  if (!simple) throw new Error(`No TypeScript type matches the schema ${JSON.stringify(schema)}.`);
  return simple;
}

/** An optional field also accepts `undefined`. */
function objectOf({ properties, required, additionalProperties: others }: Json, indent: string): string {
  const fields = Object.entries((properties ?? {}) as Record<string, Json>);
  if (fields.length === 0) return `Record<string, ${others ? typeOf(others as Json, indent) : 'never'}>`;
  const inner = `${indent}  `;
  const lines = fields.map(([name, part]) => {
    const needed = Array.isArray(required) && required.includes(name);
    const value = `${typeOf(part, inner)}${needed ? '' : ' | undefined'}`;
    return `${comment(part.description, inner)}${inner}${name}${needed ? '' : '?'}: ${value};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

/** Returns the declaration of an exported type. */
export function declaration(name: string, schema: Json, description: unknown = schema.description): string {
  return `${comment(description)}export type ${name} = ${typeOf(schema)};\n`;
}
