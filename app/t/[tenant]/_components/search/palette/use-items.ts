'use client';

import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { incompletePhoneHint } from '../../../bookings/_components/phone';
import { mayChangeBookings } from '../../roles';
import type { Who } from '../../shell/who';
import { useTRPC } from '../../trpc';
import { readPasted } from '../pasted';
import { foundHref, KIND_NAMES } from './found-href';
import { type Item, phoneItems, tenantItems } from './items';
import { findPages } from './pages';

/** Milliseconds between the last keystroke and the start of the search. */
const DEBOUNCE = 120;

/** Minimum length of a search in characters. A shorter text would match too many names. */
const MIN_LENGTH = 2;

/**
 * Returns the choices for the text: the choices for a phone number (`phoneItems`), the matching pages, the other
 * businesses of the user, and the records that the server found. A phone number is not sent to the server, because the
 * search would put it in a URL, and servers log URLs.
 *
 * `problem` is a message for the user. It says why the text was not sent to the server (for example, because it is a
 * secret), why the search failed, or how to enter a phone number. `isBusy` says whether a search is due or running.
 */
export function useItems(who: Who, text: string, enabled: boolean) {
  const { viewer: role } = who;
  const trpc = useTRPC();
  const pasted = readPasted(text);
  const [settled] = useDebouncedValue(text, DEBOUNCE);
  const phones = phoneItems(role, text);
  const sent =
    phones.length > 0
      ? ''
      : pasted.kind === 'request'
        ? pasted.id
        : pasted.kind === 'reference'
          ? pasted.reference
          : '';
  const isSearch = enabled && sent.length >= MIN_LENGTH;
  const search = useQuery({
    ...trpc.find.records.queryOptions({ text: sent }, { placeholderData: keepPreviousData }),
    enabled: isSearch && settled === text,
  });
  const records = isSearch ? (search.data ?? []) : [];
  const pages = findPages(role, text).map(({ href, label }) => ({ href, label, detail: 'Page' }));
  const items: Item[] = [
    ...phones,
    ...pages,
    ...tenantItems(who, text),
    ...records.map((one) => ({ href: foundHref(one), label: one.name, detail: KIND_NAMES[one.kind] })),
  ];
  const isBusy = isSearch && (settled !== text || search.isFetching);
  const problem = pasted.kind === 'refused' && phones.length === 0 ? pasted.why : search.error?.message;
  const hint = mayChangeBookings(role) && items.length === 0 && !isBusy ? incompletePhoneHint(text) : null;
  return { items, isBusy, problem: problem ?? hint };
}
