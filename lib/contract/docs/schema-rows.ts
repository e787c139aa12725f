import type { Json } from '../openapi/schemas';
import { type Html, html } from './html';
import { renderInline } from './markdown';

type Row = { name: string; type: string; required: boolean; description: string; example: unknown };

type Schemas = Record<string, Json>;

function resolved(schema: Json, schemas: Schemas): Json {
  const { $ref, ...rest } = schema;
  return typeof $ref === 'string' ? { ...schemas[$ref.split('/').at(-1) ?? ''], ...rest } : schema;
}

function withoutNull(schema: Json): { schema: Json; nullable: boolean } {
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(anyOf)) {
    const parts = anyOf as Json[];
    const [first = {}] = parts.filter((part) => part.type !== 'null');
    return { schema: { ...first, ...rest }, nullable: parts.some((part) => part.type === 'null') };
  }
  if (Array.isArray(type)) {
    return { schema: { ...rest, type: type.find((one) => one !== 'null') }, nullable: type.includes('null') };
  }
  return { schema, nullable: false };
}

function limits({ minimum, maximum, minLength, maxLength, format, enum: words, const: only }: Json): string {
  if (only !== undefined) return `Always \`${JSON.stringify(only)}\`.`;
  if (Array.isArray(words)) return `One of ${words.map((word) => `\`${word}\``).join(', ')}.`;
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}.`;
  if (minimum !== undefined) return `At least ${minimum}.`;
  if (maxLength === undefined || minLength === maxLength || format !== undefined) return '';
  return minLength === undefined ? `Up to ${maxLength} characters.` : `${minLength} to ${maxLength} characters.`;
}

function typeOf(schema: Json, schemas: Schemas): string {
  const { schema: plain, nullable } = withoutNull(resolved(schema, schemas));
  const { type, format, items } = resolved(plain, schemas);
  const name =
    type === 'array'
      ? `list of ${typeOf((items as Json) ?? {}, schemas)}`
      : String((type === 'string' && format) || type || 'value');
  return nullable ? `${name} or null` : name;
}

function rowsOf(schema: Json, schemas: Schemas, prefix = ''): Row[] {
  const { properties = {}, required = [] } = resolved(schema, schemas) as { properties?: Schemas; required?: string[] };
  return Object.entries(properties).flatMap(([name, part]) => {
    const { schema: plain } = withoutNull(resolved(part, schemas));
    const field = resolved(plain, schemas);
    const inner = field.type === 'array' ? resolved((field.items as Json) ?? {}, schemas) : field;
    const path = `${prefix}${name}`;
    const description = [field.description, limits(field)].filter(Boolean).join(' ');
    const examples = field.const === undefined ? (field.examples as unknown[] | undefined) : undefined;
    const row = { name: path, type: typeOf(part, schemas), required: required.includes(name), description };
    const nested =
      inner.type === 'object' ? rowsOf(inner, schemas, `${path}${field.type === 'array' ? '[]' : ''}.`) : [];
    return [{ ...row, example: examples?.[0] }, ...nested];
  });
}

/**
 * Returns a table of a schema's fields. The fields of a nested object follow the object's row.
 * @param sent true for the schema of a request. Required fields are then marked.
 */
export function fieldTable(schema: Json, schemas: Schemas, sent: boolean): Html {
  const rows = rowsOf(schema, schemas).map(({ name, type, required, description, example }) => {
    const shown = example === undefined || example === null ? null : html` <code>${JSON.stringify(example)}</code>`;
    const mark = sent && required ? html` <strong>required</strong>` : null;
    return html`<tr><td><code>${name}</code></td><td>${type}${mark}</td><td>${renderInline(description)}${shown}</td></tr>`;
  });
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th>Field</th><th>Type</th><th>Meaning, example</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

export type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: Json;
  example: unknown;
};

/** Returns a table of parameters. */
export function parameterTable(parameters: readonly Parameter[], schemas: Schemas): Html {
  const rows = parameters.map(({ name, in: place, required, description, schema, example }) => {
    const fallback = schema.default === undefined ? null : html` Default <code>${String(schema.default)}</code>.`;
    return html`<tr><td><code>${name}</code><br>${place}</td><td>${typeOf(schema, schemas)}${required && html` <strong>required</strong>`}</td><td>${renderInline(description)}${fallback} <code>${String(example)}</code></td></tr>`;
  });
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th>Parameter</th><th>Type</th><th>Meaning, example</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
