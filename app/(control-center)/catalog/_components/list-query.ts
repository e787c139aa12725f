import { addressWith, textOf, wordOf } from '../../_components/use-address';

/** What a list of the catalog shows; all of it is in the address. */
export type ListQuery = { search: string | null; status: 'published' | 'unpublished' | null; page: number };

function readQuery(params: URLSearchParams): ListQuery {
  const page = Number(params.get('page') ?? '1');
  return {
    search: textOf(params, 'search'),
    status: wordOf(params, 'status', ['published', 'unpublished']),
    page: Number.isInteger(page) && page >= 1 && page <= 1_000 ? page : 1,
  };
}

/** Returns how the address of a list is read and written. */
export function addressOf(path: string) {
  return {
    read: readQuery,
    hrefOf: ({ search, status, page }: ListQuery) =>
      addressWith(path, { search, status, page: page > 1 ? String(page) : null }),
  };
}

/** Another question begins on its first page. */
export function changeQuery(query: ListQuery, patch: Partial<ListQuery>): ListQuery {
  return { ...query, page: 1, ...patch };
}

/** Returns what the server is asked for. */
export function listInput({ search, status, page }: ListQuery) {
  return { search: search ?? '', status: status ?? ('any' as const), page };
}
