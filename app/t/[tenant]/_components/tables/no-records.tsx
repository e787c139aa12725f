'use client';

import { Button, Group } from '@mantine/core';
import { EmptyState } from '../states';

type Props = {
  noun: 'booking' | 'request';
  /** Whether the list is filtered by a reference. */
  hasReference: boolean;
  hasFilters: boolean;
  onClear: () => void;
  /** The button that switches to the longest period; null if the list already shows that period. */
  widen: { label: string; onClick: () => void } | null;
  /** Text that states possible reasons why no record has the reference. */
  referenceHint: string;
  /** Text that explains which records will appear in the list. */
  emptyHint: string;
};

/**
 * Explains why a list is empty: no record matches the filters, the period has no records, or there are no records at
 * all.
 */
export function NoRecords({ noun, hasReference, hasFilters, onClear, widen, referenceHint, emptyHint }: Props) {
  const action = (
    <Group justify="center" mt="xs">
      {hasFilters && (
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      )}
      {widen && (
        <Button variant="default" onClick={widen.onClick}>
          {widen.label}
        </Button>
      )}
    </Group>
  );
  if (hasReference) {
    return (
      <EmptyState title={`No ${noun} with this reference`} action={action}>
        {referenceHint}
      </EmptyState>
    );
  }
  if (hasFilters) {
    return (
      <EmptyState title="No matching results" action={action}>
        No {noun}s in this period match the filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState title={widen ? `No ${noun}s in this period` : `No ${noun}s yet`} action={action}>
      {emptyHint}
    </EmptyState>
  );
}
