'use client';

import { usePathname } from 'next/navigation';
import { createSerializer, type HistoryOptions, type inferParserType, type ParserMap, useQueryStates } from 'nuqs';
import { useMemo } from 'react';

/** Sorts the parameters of a URL by name, so that one view always has the same URL. */
export function sortParams(params: URLSearchParams): URLSearchParams {
  params.sort();
  return params;
}

/** Returns a function that builds the URL of a page; parameters with their default value are left out. */
export function createHref<Parsers extends ParserMap>(parsers: Parsers) {
  const serialize = createSerializer(parsers, { processUrlSearchParams: sortParams });
  return (path: string, query: Partial<inferParserType<Parsers>>): string => serialize(path, query);
}

type Rules<Query> = {
  /** Returns the query after a change. By default the patch is all that changes. */
  change?: (query: Query, patch: Partial<Query>) => Query;
  /** Corrects combinations of values that no single parser can reject. */
  normalize?: (query: Query) => Query;
};

/**
 * Returns the state that the URL of this page holds, the URL of a changed state, and a function that changes it.
 * A change adds a history entry unless `history` is `replace`; it never reloads the page. A parameter that does not
 * parse counts as not set, so an old link still opens the page. `parsers` and `normalize` must be constants.
 */
export function useUrlState<Parsers extends ParserMap>(
  parsers: Parsers,
  { change = merge, normalize = identity }: Rules<inferParserType<Parsers>> = {},
) {
  type Query = inferParserType<Parsers>;
  const path = usePathname();
  const [raw, setQuery] = useValues<Query>(parsers);
  const query = useMemo(() => normalize(raw), [normalize, raw]);
  const hrefOf = useMemo(() => createHref(parsers), [parsers]);
  const href = (patch: Partial<Query>): string => hrefOf(path, change(query, patch));
  const go = (patch: Partial<Query>, history: HistoryOptions = 'push'): void => {
    const next = change(query, patch);
    if (hrefOf(path, next) !== hrefOf(path, query)) void setQuery(next, { history });
  };
  return { query, href, go };
}

type SetQuery<Query> = (query: Query, options: { history: HistoryOptions }) => Promise<URLSearchParams>;

// The library has two equal types for the values of a generic map of parsers; TypeScript cannot tell that they are equal.
function useValues<Query>(parsers: ParserMap): [Query, SetQuery<Query>] {
  return useQueryStates(parsers) as unknown as [Query, SetQuery<Query>];
}

function merge<Query>(query: Query, patch: Partial<Query>): Query {
  return { ...query, ...patch };
}

function identity<Query>(query: Query): Query {
  return query;
}
