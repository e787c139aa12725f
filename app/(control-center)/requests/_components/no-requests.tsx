'use client';

import { Button, Group } from '@mantine/core';
import { EmptyState } from '../../_components/states';
import { isFiltered, NO_FILTERS, type RequestsQuery } from './query';

type Props = { query: RequestsQuery; go: (patch: Partial<RequestsQuery>) => void };

/** Explains an empty list: no match for the filters, none in the period, or no requests at all. */
export function NoRequests({ query, go }: Props) {
  const filtered = isFiltered(query);
  const isWhole = query.period === '30d';
  const actions = (
    <Group justify="center" mt="xs">
      {filtered && (
        <Button variant="default" onClick={() => go(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
      {!isWhole && (
        <Button variant="default" onClick={() => go({ period: '30d' })}>
          Show last 30 days
        </Button>
      )}
    </Group>
  );
  if (query.reference !== null) {
    return (
      <EmptyState title="No request with this reference" action={actions}>
        References must match exactly. Only requests for a booking have a reference. Requests are kept for 30 days.
      </EmptyState>
    );
  }
  if (filtered) {
    return (
      <EmptyState title="No matching results" action={actions}>
        No requests in this period match the filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState title={isWhole ? 'No requests yet' : 'No requests in this period'} action={actions}>
      Requests to the partner API appear here within a second, including refused ones.
    </EmptyState>
  );
}
