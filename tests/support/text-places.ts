import type { z } from 'zod';

export type Place = { path: string; build: (text: string) => unknown };

type Def = z.core.$ZodTypes['_zod']['def'];

const defOf = (schema: z.core.$ZodType) => schema._zod.def as Def;

const at = (name: string, places: Place[], wrap: (value: unknown) => unknown): Place[] =>
  places.map(({ path, build }) => ({ path: `${name}${path && `.${path}`}`, build: (text) => wrap(build(text)) }));

/** For a field that selects an option of a union. */
function selectorOf(schema: z.core.$ZodType): unknown {
  const def = defOf(schema);
  return def.type === 'literal' ? def.values[0] : undefined;
}

/** Also where the schema expects something else, and the names of unknown fields. */
export function textPlaces(schema: z.core.$ZodType): Place[] {
  const def = defOf(schema);
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape);
      const selected = fields.map(([name, field]) => [name, selectorOf(field)] as const);
      const base = Object.fromEntries(selected.filter(([, value]) => value !== undefined));
      return [
        { path: '*', build: (text) => ({ ...base, [text]: 1 }) },
        ...fields.flatMap(([name, field]) => at(name, textPlaces(field), (value) => ({ ...base, [name]: value }))),
      ];
    }
    case 'array':
      return at('0', textPlaces(def.element), (value) => [value]);
    case 'record':
      return [
        { path: '*', build: (text) => ({ [text]: 1 }) },
        ...at('x', textPlaces(def.valueType), (value) => ({ x: value })),
      ];
    case 'union':
      return def.options.flatMap((option, index) => at(`option ${index}`, textPlaces(option), (value) => value));
    case 'pipe':
      return textPlaces(def.in);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'catch':
      return textPlaces(def.innerType);
    case 'custom':
      return [{ path: '*', build: (text) => ({ [text]: text, x: text }) }];
    default:
      return [{ path: '', build: (text) => text }];
  }
}

/** Texts and names of fields. */
export function placesIn(value: unknown): Place[] {
  if (Array.isArray(value))
    return value.flatMap((part, index) => at(String(index), placesIn(part), (changed) => value.with(index, changed)));
  if (typeof value !== 'object' || value === null) return [{ path: '', build: (text) => text }];
  return [
    { path: '*', build: (text) => ({ ...value, [text]: 1 }) },
    ...Object.entries(value).flatMap(([name, part]) =>
      at(name, placesIn(part), (changed) => ({ ...value, [name]: changed })),
    ),
  ];
}

/** Those that are checked or changed before their length is bounded. */
export function unboundedTexts(schema: z.core.$ZodType): string[] {
  const def = defOf(schema);
  const within = (name: string, child: z.core.$ZodType) =>
    unboundedTexts(child).map((path) => `${name}${path && `.${path}`}`);
  switch (def.type) {
    case 'string':
      return isBounded(def) ? [] : [''];
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) => within(name, field));
    case 'array':
      return within('0', def.element);
    case 'record':
      return [...within('*', def.keyType), ...within('x', def.valueType)];
    case 'union':
      return def.options.flatMap((option) => unboundedTexts(option));
    case 'pipe':
      return unboundedTexts(def.in);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'catch':
      return unboundedTexts(def.innerType);
    default:
      return [];
  }
}

/** The first check refuses and ends the validation, or cuts. */
function isBounded(def: z.core.$ZodStringDef): boolean {
  if ('format' in def) return false;
  const first = def.checks?.[0]?._zod.def;
  return first?.check === 'overwrite' || (first?.check === 'max_length' && first.abort === true);
}
