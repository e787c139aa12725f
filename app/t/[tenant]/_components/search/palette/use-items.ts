'use client';

import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { EXAMPLE_NUMBERS, isPartOfPhone } from '../../../bookings/_components/phone';
import { mayChangeBookings, mayViewPartners } from '../../roles';
import type { Who } from '../../shell/who';
import { useTRPC } from '../../trpc';
import { keyEnd, readPasted } from '../pasted';
import { foundItem, type Item, phoneItems, tenantItems } from './items';
import { findPages } from './pages';

/** Milliseconds between the last keystroke and the start of the search. */
const DEBOUNCE = 120;

/** Minimum length of a search in characters. A shorter text would match too many names. */
const MIN_LENGTH = 2;

/**
 * Returns the choices for the text: the choices for a phone number (`phoneItems`), the matching pages, the other
 * businesses of the user, and the records that the server found. A phone number is not sent to the server, because the
 * search would put it in a URL, and servers log URLs. Of an API key, only the last four characters are sent.
 *
 * `message` is for the user. It says why the text was not sent to the server (for example, because it is a secret), why
 * the search failed, how to enter a phone number, or that there are no results. `isBusy` says whether a search is due
 * or running.
 */
export function useItems(who: Who, text: string, enabled: boolean) {
  const t = useTranslations('shell');
  const kind = useTranslations('words.records');
  const refusalText = useTranslations('common.search');
  const { viewer: role } = who;
  const trpc = useTRPC();
  const [settled] = useDebouncedValue(text, DEBOUNCE);
  const phones = phoneItems(t, role, text);
  const pasted = phones.length > 0 ? null : readPasted(text);
  const lastFour = mayViewPartners(role) ? keyEnd(text) : null;
  const sent =
    pasted?.kind === 'request' ? pasted.id : pasted?.kind === 'reference' ? pasted.reference : (lastFour ?? '');
  const isSearch = enabled && sent.length >= MIN_LENGTH;
  const search = useQuery({
    ...trpc.find.records.queryOptions({ text: sent }, { placeholderData: keepPreviousData }),
    enabled: isSearch && settled === text,
  });
  const records = isSearch ? (search.data ?? []) : [];
  const pages = findPages(t, role, text).map(({ href, label }) => ({ href, label, detail: t('palette.page') }));
  const items: Item[] = [
    ...phones,
    ...pages,
    ...tenantItems({ t, kind }, who, text),
    ...records.map((record) => foundItem({ kind }, record)),
  ];
  const isBusy = isSearch && (settled !== text || search.isFetching);
  const findsPhones = mayChangeBookings(role);
  const noResults = findsPhones ? t('palette.noneWithPhones') : t('palette.none');
  const hint = findsPhones && isPartOfPhone(text) ? t('palette.phoneHint', EXAMPLE_NUMBERS) : null;
  const empty = isBusy ? t('palette.searching') : lastFour === null ? (hint ?? noResults) : t('palette.noKey');
  const refused =
    pasted?.kind !== 'refused' ? search.error?.message : lastFour === null ? refusalText(pasted.refusal) : null;
  const found = lastFour === null ? null : t('palette.onlyEnd');
  return { items, isBusy, message: refused ?? (items.length === 0 ? empty : found) };
}
