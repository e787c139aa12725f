'use client';

import { usePathname } from 'next/navigation';
import { type HistoryOptions, type inferParserType, type ParserMap, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { createHref } from './url-href';

type Rules<Query> = {
  /** Applies `patch` to `query` and returns the new query. By default, only the values in `patch` change. */
  change?: (query: Query, patch: Partial<Query>) => Query;
  /** The parsers cannot detect invalid combinations, because each receives only one value. */
  normalize?: (query: Query) => Query;
};

/**
 * Returns the state that this page stores in its URL, and two functions for changes to this state:
 *
 * - `query` is the state. A parameter that cannot be parsed counts as not set, so old links still open the page.
 * - `href` returns the URL for a changed state.
 * - `go` changes the state without reloading the page. It adds a history entry, or replaces the current entry if
 *   `history` is `replace`.
 *
 * `parsers` and `normalize` must be the same objects in every render.
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

// The cast is needed because nuqs has two equivalent types for the values of a generic parser map. TypeScript cannot
// tell that they are equivalent.
function useValues<Query>(parsers: ParserMap): [Query, SetQuery<Query>] {
  return useQueryStates(parsers) as unknown as [Query, SetQuery<Query>];
}

function merge<Query>(query: Query, patch: Partial<Query>): Query {
  return { ...query, ...patch };
}

function identity<Query>(query: Query): Query {
  return query;
}
