'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';

/** By path, with a leading `?`. Lost when the tab is reloaded. */
const searches = new Map<string, string>();

/** A full map is cleared. */
const MAX_PAGES = 50;

/** Returns the query string that the user last saw on a page, with a leading `?`, or an empty string. */
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
