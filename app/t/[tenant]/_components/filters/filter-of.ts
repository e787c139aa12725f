import { parseAsStringLiteral, type SingleParserBuilder } from 'nuqs/server';
import type { Field, Fields, ValueOf } from '@/lib/control-center/filters/fields';
import { parseAsCursor, parseAsFlag, parseAsPattern, parseAsText } from '../url-parsers';

type FilterValues<F extends Fields> = { [K in keyof F]: ValueOf<F[K]> | null };

type Inputs<F extends Fields> = { [K in keyof F as F[K]['column']]: ValueOf<F[K]> | null };

function parserOf(field: Field) {
  if (field.kind === 'choice') return parseAsStringLiteral(field.values);
  if (field.kind === 'pattern') return parseAsPattern(field.pattern);
  return parseAsText(field.kind === 'text' ? field.max : undefined);
}

type Parsers<F extends Fields> = { [K in keyof F]: SingleParserBuilder<ValueOf<F[K]>> };

/** Returns what follows from the declaration of a page's filter. */
export function filterOf<F extends Fields>(fields: F) {
  const names: (keyof F & string)[] = Object.keys(fields);
  const mapped = <T>(of: (name: keyof F & string) => T) => Object.fromEntries(names.map((name) => [name, of(name)]));
  return {
    parsers: mapped((name) => parserOf(fields[name] as Field)) as unknown as Parsers<F>,
    /** The change to the URL state that clears the filter. */
    none: mapped(() => null) as { [K in keyof F]: null },
    isSet: (query: FilterValues<F>): boolean => names.some((name) => query[name] !== null),
    inputOf: (query: FilterValues<F>) =>
      Object.fromEntries(names.map((name) => [fields[name]?.column, query[name]])) as Inputs<F>,
  };
}

/** The URL parameters of a page in a list that is ordered by time and id. */
export const PAGING = { cursor: parseAsCursor, back: parseAsFlag };

/** Returns the query after a change. Unless the change selects a page, the list starts on the first page. */
export function fromFirstPage<Query extends object>(query: Query, patch: Partial<Query>): Query {
  return { ...query, cursor: null, back: false, ...patch };
}
