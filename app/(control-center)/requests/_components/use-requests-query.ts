'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useState } from 'react';
import { changeQuery, hrefOf, type RequestsQuery, readQuery } from './query';

/** What the page shows, from the address, and how to show something else: the back button undoes each change. */
export function useRequestsQuery() {
  const params = useSearchParams().toString();
  // The address follows a moment later; until then a control must not jump back to what it was.
  const [ahead, setAhead] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever the address becomes, it is right again.
  useEffect(() => setAhead(null), [params]);
  // Who goes back at once is where they were, before the address here ever changed.
  useEffect(() => {
    const onBack = () => setAhead(null);
    window.addEventListener('popstate', onBack);
    return () => window.removeEventListener('popstate', onBack);
  }, []);
  const query = useMemo(() => readQuery(new URLSearchParams(ahead ?? params)), [ahead, params]);
  const href = (patch: Partial<RequestsQuery>) => hrefOf(changeQuery(query, patch));
  // Only the data changes, not the page: nothing is asked of the server but that.
  const go = (patch: Partial<RequestsQuery>) => {
    const next = href(patch);
    const search = next.split('?')[1] ?? '';
    if (search === (ahead ?? params)) return;
    setAhead(search);
    window.history.pushState(null, '', next);
  };
  return { query, href, go };
}
