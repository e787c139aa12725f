import { z } from 'zod';

type Schema = {
  type?: string | string[];
  enum?: unknown;
  const?: unknown;
  format?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
};

/** Fields whose text does not name a record of a tenant. */
const NO_NAMES: ReadonlySet<string> = new Set([
  ...['action', 'code', 'object_kind', 'reason', 'route', 'status', 'type'],
  ...[
    'business_name',
    'confirmed',
    'currency',
    'limit',
    'locale',
    'locales',
    'name',
    'networks',
    'note',
    'origins',
    'url',
  ],
  ...['current_password', 'new_password', 'password', 'packed', 'start_time', 'time_zone'],
  ...['attestationObject', 'clientDataJSON', 'passkey', 'rawId'],
]);

/** Returns the text fields of a schema that can name a record of a tenant, such as `add.location_id`. */
export function namingFields(schema: z.ZodType): string[] {
  const found = textFields(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema, '');
  const fields = new Set(found.map((field) => field.slice(1)));
  return [...fields].filter((field) => !NO_NAMES.has(field.split('.').at(-1) ?? ''));
}

function textFields(schema: Schema, path: string): string[] {
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const inside = [
    ...options.flatMap((option) => textFields(option, path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) => textFields(field, `${path}.${name}`)),
    ...(schema.items ? textFields(schema.items, path) : []),
  ];
  const isText = [schema.type].flat().includes('string') && !('enum' in schema) && !('const' in schema);
  return isText && !schema.format ? [path] : inside;
}

/** Returns the fields of an input that contain text, in the notation of `namingFields`. */
export function filledFields(input: unknown, path = ''): string[] {
  if (typeof input === 'string') return [path.slice(1)];
  if (Array.isArray(input)) return input.flatMap((item) => filledFields(item, path));
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) => filledFields(value, `${path}.${name}`));
}
