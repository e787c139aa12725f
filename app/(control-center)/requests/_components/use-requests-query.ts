'use client';

import { useSearchParams } from 'next/navigation';
import { useMemo } from 'react';
import { changeQuery, hrefOf, type RequestsQuery, readQuery } from './query';

/** What the page shows, from the address, and how to show something else: the back button undoes each change. */
export function useRequestsQuery() {
  const params = useSearchParams();
  const query = useMemo(() => readQuery(new URLSearchParams(params)), [params]);
  const href = (patch: Partial<RequestsQuery>) => hrefOf(changeQuery(query, patch));
  // Only the data changes, not the page: nothing is asked of the server but that.
  const go = (patch: Partial<RequestsQuery>) => window.history.pushState(null, '', href(patch));
  return { query, href, go };
}
