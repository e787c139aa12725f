'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useState } from 'react';

type Address<Query> = {
  /** Reads the address; what is no value of ours counts as not set. */
  read: (params: URLSearchParams) => Query;
  /** Returns the address that shows a query. */
  hrefOf: (query: Query) => string;
};

/**
 * What a page shows, from the address, and how to show something else: the back button undoes each change. `change`
 * says what else a patch changes, such as the page it begins on.
 */
export function useAddress<Query extends object>(
  { read, hrefOf }: Address<Query>,
  change: (query: Query, patch: Partial<Query>) => Query,
) {
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
  const query = useMemo(() => read(new URLSearchParams(ahead ?? params)), [read, ahead, params]);
  const href = (patch: Partial<Query>) => hrefOf(change(query, patch));
  // Only the data changes, not the page: nothing is asked of the server but that.
  const go = (patch: Partial<Query>) => {
    const next = href(patch);
    const search = next.split('?')[1] ?? '';
    if (search === (ahead ?? params)) return;
    setAhead(search);
    window.history.pushState(null, '', next);
  };
  return { query, href, go };
}

/** Returns a path with the parameters that are set. */
export function addressWith(path: string, params: Readonly<Record<string, string | null>>): string {
  const set = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) set.set(name, value);
  return set.size === 0 ? path : `${path}?${set}`;
}

/** Returns a parameter's text, bounded; null when it is empty, not there, or no text that anything of ours has. */
export function textOf(params: URLSearchParams, name: string): string | null {
  const text = params.get(name)?.slice(0, 200) || null;
  return text === null || /[\p{Cc}\p{Cs}]/u.test(text) ? null : text;
}

/** Returns where a page of a list begins, if it is written as the server writes it. */
export function cursorOf(params: URLSearchParams): string | null {
  const text = textOf(params, 'cursor');
  return text !== null && /^(?!0000)\d{4}-[\dT:.-]{18}Z_[a-z]{3}_[0-9a-z]{26}$/.test(text) ? text : null;
}

/** Returns a parameter if it is a date, `YYYY-MM-DD`. */
export function dateOf(params: URLSearchParams, name: string): string | null {
  const text = textOf(params, name);
  if (text === null || !/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  // There is no year 0, and nothing of ours is that old.
  if (text < '1900') return null;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : null;
}

/** Returns a parameter if it is one of the allowed words. */
export function wordOf<Word extends string>(
  params: URLSearchParams,
  name: string,
  allowed: readonly Word[],
): Word | null {
  return allowed.find((word) => word === params.get(name)) ?? null;
}
