import { type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import { parseAsFlag, parseAsPage, parseAsText } from '../../../_components/url-parsers';

/** The input that the `list` procedures of all kinds of records have in common. */
export type ListInput = {
  search: string;
  status: 'any' | 'published' | 'unpublished';
  page: number;
  /** Only of services. */
  category?: string | null;
};

/** The URL parameters of a catalog list. */
export const PARSERS = {
  search: parseAsText(),
  status: parseAsStringLiteral(['published', 'unpublished']),
  // Only of services. If `uncategorized` is set, the list shows those without a category.
  category: parseAsText(),
  uncategorized: parseAsFlag,
  page: parseAsPage(1_000),
};

export type ListState = inferParserType<typeof PARSERS>;

/** The change to the URL state that clears all filters. */
export const NO_FILTERS = {
  search: null,
  status: null,
  category: null,
  uncategorized: false,
} satisfies Partial<ListState>;

/** Returns whether a list is filtered. */
export function isFiltered({ search, status, category, uncategorized }: ListState): boolean {
  return search !== null || status !== null || category !== null || uncategorized;
}

/** Returns the state after a change. Unless the change selects a page, the list starts on the first page. */
export function changeState(state: ListState, patch: Partial<ListState>): ListState {
  return { ...state, page: 1, ...patch };
}

/** Returns the input of the `list` procedure. */
export function listInput({ search, status, page }: ListState): ListInput {
  return { search: search ?? '', status: status ?? 'any', page };
}

/** Returns the input of the `list` procedure of services. */
export function serviceListInput(state: ListState) {
  return { ...listInput(state), category: state.uncategorized ? '' : state.category };
}
