'use client';

import { NoRecords } from '../../_components/tables/no-records';
import { isFiltered, NO_FILTERS, type RequestsQuery } from './query';

type Props = { query: RequestsQuery; go: (patch: Partial<RequestsQuery>) => void };

/** Explains an empty list of requests. */
export function NoRequests({ query, go }: Props) {
  const showAll = { label: 'Show last 30 days', onClick: () => go({ period: '30d' }) };
  return (
    <NoRecords
      noun="request"
      hasReference={query.reference !== null}
      hasFilters={isFiltered(query)}
      onClear={() => go(NO_FILTERS)}
      widen={query.period === '30d' ? null : showAll}
      referenceHint="Enter references in full. Requests that were refused because of invalid fields may have no reference. Requests are kept for at most 30 days."
      emptyHint="Requests to the partner API appear here within a second, including refused ones."
    />
  );
}
