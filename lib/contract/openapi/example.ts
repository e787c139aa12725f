import type { Json } from './schemas';

/** Returns an example value for a schema. The value is composed of the examples of the nested schemas. */
export function exampleOf(schema: Json, schemas: Record<string, Json>): unknown {
  const { $ref, examples, const: constant, enum: words, anyOf, properties, items, type, ...rest } = schema;
  if (typeof $ref === 'string') return exampleOf(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas);
  if (Array.isArray(examples)) return examples[0];
  if (constant !== undefined) return constant;
  if (Array.isArray(words)) return words[0];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], schemas);
  if (properties) return exampleObject(properties as Record<string, Json>, schemas);
  if (items) return [exampleOf(items as Json, schemas)];
  if (type === 'object') return {};
  return rest.default ?? null;
}

function exampleObject(properties: Record<string, Json>, schemas: Record<string, Json>): Json {
  return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, exampleOf(part, schemas)]));
}
