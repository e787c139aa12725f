'use client';

import { useSearchParams } from 'next/navigation';
import type { SORTS } from '@/lib/access/applications/list';
import { textOf } from '../../_components/use-address';

/** What the list can be sorted by. */
export type Sort = (typeof SORTS)[number];

/** What is asked of the list; all of it stands in the address. */
export type ListQuery = {
  search: string;
  status: 'any' | 'active' | 'suspended';
  sort: Sort;
  direction: 'asc' | 'desc';
  page: number;
};

const START: ListQuery = { search: '', status: 'any', sort: 'name', direction: 'asc', page: 1 };
const SORT_NAMES: readonly string[] = [
  'name',
  'created_at',
  'last_request_at',
  'requests_24h',
  'errors_24h',
] satisfies Sort[];

function oneOf<T extends string>(value: string | null, allowed: readonly string[], fallback: T): T {
  return value !== null && allowed.includes(value) ? (value as T) : fallback;
}

function readQuery(params: URLSearchParams): ListQuery {
  const page = Number(params.get('page') ?? '1');
  return {
    search: textOf(params, 'search') ?? '',
    status: oneOf(params.get('status'), ['active', 'suspended'], START.status),
    sort: oneOf(params.get('sort'), SORT_NAMES, START.sort),
    direction: oneOf(params.get('direction'), ['asc', 'desc'], START.direction),
    page: Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1,
  };
}

function addressOf(query: ListQuery): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    // What is as always does not lengthen the address.
    if (value !== START[name as keyof ListQuery]) params.set(name, String(value));
  }
  return params.size > 0 ? `?${params}` : window.location.pathname;
}

/** Returns what is asked of the list and a way to ask otherwise; the address follows without loading the page. */
export function useListQuery() {
  const query = readQuery(new URLSearchParams(useSearchParams()));
  const change = (part: Partial<ListQuery>, how: 'push' | 'replace' = 'push') => {
    // Another question begins on its first page.
    const next = addressOf({ ...query, page: 1, ...part });
    if (how === 'push') window.history.pushState(null, '', next);
    else window.history.replaceState(null, '', next);
  };
  return { query, change, isFiltered: query.search !== '' || query.status !== 'any' };
}
