'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';

/**
 * Maps the path of each visited page to the query string of its URL, with a leading `?`. The map is lost when the tab
 * is reloaded.
 */
const searches = new Map<string, string>();

/** Maximum number of entries in `searches`. A full map is cleared before the next entry is added. */
const MAX_PAGES = 50;

/**
 * Returns the query string that a page's URL had when the user last saw the page, with a leading `?`. Returns an empty
 * string if the URL had no query string.
 */
export function lastSearch(path: string): string {
  return searches.get(path) ?? '';
}

/** Records the query string of the current page, for `lastSearch`. */
export function useLastSearch(): void {
  const path = usePathname();
  const search = useSearchParams().toString();
  useEffect(() => {
    if (searches.size >= MAX_PAGES) searches.clear();
    searches.set(path, search === '' ? '' : `?${search}`);
  }, [path, search]);
}
