'use client';

import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readPasted } from '../pasted';
import type { Role } from '../roles';
import { useTRPC } from '../trpc';
import { foundHref, KIND_NAMES } from './found-href';
import { findPages } from './pages';

/** Milliseconds between the last keystroke and the start of the search. */
const DEBOUNCE = 120;

/** Minimum length of a search in characters. A shorter text would match too many names. */
const MIN_LENGTH = 2;

/** One choice of the command palette. */
export type Item = { href: string; label: string; detail: string };

/**
 * Returns the choices for the text: the records that the server found, and the matching pages. `problem` says why the
 * text is not sent to the server, for example because it is a secret. `isBusy` says whether a search is due or running.
 */
export function useItems(role: Role, text: string, enabled: boolean) {
  const trpc = useTRPC();
  const pasted = readPasted(text);
  const [settled] = useDebouncedValue(text, DEBOUNCE);
  const sent = pasted.kind === 'request' ? pasted.id : pasted.kind === 'reference' ? pasted.reference : '';
  const isSearch = enabled && sent.length >= MIN_LENGTH;
  const search = useQuery({
    ...trpc.find.records.queryOptions({ text: sent }, { placeholderData: keepPreviousData }),
    enabled: isSearch && settled === text,
  });
  const records = isSearch ? (search.data ?? []) : [];
  const pages = findPages(role, text).map(({ href, label }) => ({ href, label, detail: 'Page' }));
  return {
    items: [
      ...pages,
      ...records.map((one) => ({ href: foundHref(one), label: one.name, detail: KIND_NAMES[one.kind] })),
    ],
    isBusy: isSearch && (settled !== text || search.isFetching),
    problem: pasted.kind === 'refused' ? pasted.why : (search.error?.message ?? null),
  };
}
