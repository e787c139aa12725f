'use client';

import { Button, Group } from '@mantine/core';
import { EmptyState } from '../../_components/states';
import { type BookingsQuery, isFiltered, NO_FILTERS } from './query';

type Props = { query: BookingsQuery; go: (patch: Partial<BookingsQuery>) => void };

/** Explains an empty list: no match for the filters, none in the period, or no bookings at all. */
export function NoBookings({ query, go }: Props) {
  const filtered = isFiltered(query);
  const isWhole = query.period === 'all';
  const action = (
    <Group justify="center" mt="xs">
      {filtered && (
        <Button variant="default" onClick={() => go(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
      {!isWhole && (
        <Button variant="default" onClick={() => go({ period: 'all', direction: null })}>
          Show all periods
        </Button>
      )}
    </Group>
  );
  if (query.reference !== null) {
    return (
      <EmptyState title="No booking with this reference" action={action}>
        References must match exactly. TEST and LIVE have separate bookings.
      </EmptyState>
    );
  }
  if (filtered) {
    return (
      <EmptyState title="No matching results" action={action}>
        No bookings in this period match the filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState title={isWhole ? 'No bookings yet' : 'No bookings in this period'} action={action}>
      Bookings made through the API appear here immediately.
    </EmptyState>
  );
}
