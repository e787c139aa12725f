'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';

/**
 * Maps the path of each visited page to the query of its URL, with a leading `?`. It is kept until the tab is reloaded.
 */
const searches = new Map<string, string>();

/** Maximum number of entries in `searches`. A full map is cleared before the next entry is added. */
const MAX_PAGES = 50;

/** Returns the query with which the user last saw a page, with a leading `?`. Returns '' if it had none. */
export function lastSearch(path: string): string {
  return searches.get(path) ?? '';
}

/** Records the query of each page. */
export function useLastSearch(): void {
  const path = usePathname();
  const search = useSearchParams().toString();
  useEffect(() => {
    if (searches.size >= MAX_PAGES) searches.clear();
    searches.set(path, search === '' ? '' : `?${search}`);
  }, [path, search]);
}
