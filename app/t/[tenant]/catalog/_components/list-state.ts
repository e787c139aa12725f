import { type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import { parseAsPage, parseAsText } from '../../_components/url-parsers';
import type { ListInput } from './kind';

/** The URL parameters of a catalog list. */
export const PARSERS = {
  search: parseAsText(),
  status: parseAsStringLiteral(['published', 'unpublished']),
  page: parseAsPage(1_000),
};

export type ListState = inferParserType<typeof PARSERS>;

/** Returns the state after a change. Unless the change selects a page, the list starts on the first page. */
export function changeState(state: ListState, patch: Partial<ListState>): ListState {
  return { ...state, page: 1, ...patch };
}

/** Returns the input of the `list` procedure. */
export function listInput({ search, status, page }: ListState): ListInput {
  return { search: search ?? '', status: status ?? 'any', page };
}
