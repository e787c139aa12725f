'use client';

import { Button, Group } from '@mantine/core';
import { EmptyState } from '../../_components/states';
import { type BookingsQuery, isFiltered, NO_FILTERS } from './query';

type Props = { query: BookingsQuery; go: (patch: Partial<BookingsQuery>) => void };

/** No rows: because nothing fits, because of the time that is shown, or because there was nothing at all. */
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
          Look at all times
        </Button>
      )}
    </Group>
  );
  if (query.reference !== null) {
    return (
      <EmptyState title="No booking with this reference" action={action}>
        A reference is compared as a whole, and each environment has its own bookings.
      </EmptyState>
    );
  }
  if (filtered) {
    return (
      <EmptyState title="No booking fits" action={action}>
        None at this time fits all of the filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState title={isWhole ? 'No bookings yet' : 'No bookings at this time'} action={action}>
      What your partners book over the API appears here at once.
    </EmptyState>
  );
}
