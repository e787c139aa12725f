'use client';

import { NoRecords } from '../../_components/tables/no-records';
import { incompletePhoneHint } from './phone';
import { type BookingsQuery, isFiltered, NO_FILTERS } from './query';

type Props = {
  query: BookingsQuery;
  go: (patch: Partial<BookingsQuery>) => void;
  /** Whether the member may search by phone number. */
  findsByPhone: boolean;
};

const REFERENCE_HINT = 'Enter references in full. Letter case does not matter. TEST and LIVE have separate bookings.';

/** Explains an empty list of bookings. */
export function NoBookings({ query, go, findsByPhone }: Props) {
  const showAll = { label: 'Show all periods', onClick: () => go({ period: 'all', direction: null }) };
  return (
    <NoRecords
      noun="booking"
      hasReference={query.reference !== null}
      hasFilters={isFiltered(query)}
      onClear={() => go(NO_FILTERS)}
      widen={query.period === 'all' ? null : showAll}
      referenceHint={(findsByPhone && incompletePhoneHint(query.reference ?? '')) || REFERENCE_HINT}
      emptyHint="Bookings made through the API appear here immediately."
    />
  );
}
