'use client';

import { useTranslations } from 'use-intl';
import { FindForm } from '../../_components/search/find-form';
import { readPasted } from '../../_components/search/pasted';
import { readName, readSearchedPhone } from './phone';
import type { BookingsQuery } from './query';
import type { Searched } from './types';

type Props = {
  query: BookingsQuery;
  /** The phone number or name whose bookings are shown. Undefined if the list is not searched by either. */
  searched: Searched | undefined;
  /** Finds bookings by phone number and perhaps by name. Null if the member's role does not allow viewing contacts. */
  findCustomer: { busy: boolean; byName: boolean; find: (searched: Searched) => void } | null;
  /** Finds bookings by reference. If the reference is null, ends the search. */
  findReference: (reference: string | null) => void;
};

/**
 * Searches the bookings by booking reference, external reference, phone number, or name. References and numbers must match
 * as a whole, and names by their words. A number or a name does not become part of the URL.
 */
export function BookingSearch({ query, searched: shown, findCustomer, findReference }: Props) {
  const t = useTranslations('bookings.search');
  const refusalText = useTranslations('common.search');
  const label = t(findCustomer?.byName ? 'byName' : findCustomer ? 'byPhone' : 'byReference');
  const find = (text: string) => {
    const name = findCustomer?.byName ? readName(text) : null;
    const searched = findCustomer && (readSearchedPhone(text) ?? (name === null ? null : { name }));
    if (searched) {
      findCustomer?.find(searched);
      return null;
    }
    const pasted = readPasted(text);
    if (pasted.kind === 'reference') findReference(pasted.reference);
    if (pasted.kind === 'nothing') findReference(null);
    if (pasted.kind === 'request') return t('requestId');
    return pasted.kind === 'refused' ? refusalText(pasted.refusal) : null;
  };
  return (
    <FindForm
      label={label}
      value={shown?.phone ?? shown?.national ?? shown?.name ?? query.reference ?? ''}
      busy={findCustomer?.busy ?? false}
      find={find}
    />
  );
}
