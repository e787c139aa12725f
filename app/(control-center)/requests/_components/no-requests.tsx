'use client';

import { Button, Group } from '@mantine/core';
import { EmptyState } from '../../_components/states';
import { isFiltered, NO_FILTERS, type RequestsQuery } from './query';

type Props = { query: RequestsQuery; go: (patch: Partial<RequestsQuery>) => void };

/** No rows: because nothing fits, because the period is too short, or because there was nothing at all. */
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
          Look at the last 30 days
        </Button>
      )}
    </Group>
  );
  if (query.reference !== null) {
    return (
      <EmptyState title="No request with this reference" action={actions}>
        A reference is compared as a whole. Only requests that reached a booking carry one, and they are kept for 30
        days.
      </EmptyState>
    );
  }
  if (filtered) {
    return (
      <EmptyState title="No request fits" action={actions}>
        Nothing in this period fits all of the filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState title={isWhole ? 'No requests yet' : 'No requests in this period'} action={actions}>
      Every request to the partner API appears here within a second, refused ones too.
    </EmptyState>
  );
}
