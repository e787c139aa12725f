'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { plural } from '../../_components/format';
import { EmptyState, ErrorState } from '../../_components/states';
import { ActionDialog } from './action-dialog';
import { BookingsTable } from './bookings-table';
import { FoundNames } from './customer-names';
import { sectionAt } from './days';
import type { BookingSummary, FoundBookings } from './types';

type Failure = {
  message: string;
  data?: { code?: string; reason?: string | null; fields?: { message: string }[] } | null;
} | null;
type Props = {
  found: FoundBookings | undefined;
  error: Failure;
  /** Whether the search was by name instead of by phone number. */
  byName: boolean;
  onRetry: () => void;
  /** Repeats the search. The results stay visible until the new results are loaded. */
  onReload: () => Promise<unknown>;
  onClear: () => void;
  /** Searches for the entered text as a reference. Null if the text can be no reference. */
  onReference: (() => void) | null;
};

/** The result of a search by phone number or name: the bookings that were found, or the error. */
export function CallerResults({ found, error, byName, onRetry, onReload, onClear, onReference }: Props) {
  const invalid = error?.data?.fields?.[0]?.message;
  if (invalid) {
    return (
      <Alert color="red" role="alert">
        The {byName ? 'name' : 'phone number'} {invalid}.
      </Alert>
    );
  }
  if (error) return <ErrorState error={error} retry={onRetry} />;
  if (!found) return null;
  const clear = (
    <Button variant="default" size="xs" onClick={onClear}>
      Show all bookings
    </Button>
  );
  if (found.bookings.length === 0) {
    return (
      <EmptyState
        title={titleOf(found, byName)}
        action={
          <Group gap="xs" justify="center">
            {onReference && (
              <Button variant="default" size="xs" onClick={onReference}>
                Search by reference instead
              </Button>
            )}
            {clear}
          </Group>
        }
      >
        {byName ? NAME_SEARCH : lookedUp(found)} Bookings whose contact details were removed cannot be found.
      </EmptyState>
    );
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" role="status">
          {found.truncated ? 'The first ' : ''}
          {plural(found.bookings.length, 'booking')} with {found.understood.join(' or ')}. The search is recorded in the
          audit log.
        </Text>
        {clear}
      </Group>
      <FoundNames value={new Map((found.names ?? []).map(({ reference, name }) => [reference, name]))}>
        <Found bookings={found.bookings} onReload={onReload} />
      </FoundNames>
    </Stack>
  );
}

const NAME_SEARCH =
  'The last 90 and the next 90 days were searched for bookings whose name has all of these words. Enter words in full.';

function titleOf({ understood }: FoundBookings, byName: boolean): string {
  if (byName) return 'No bookings with this name';
  return understood.length > 0 ? 'No bookings with this phone number' : 'Not a phone number here';
}

/** States how the entered number was understood. */
function lookedUp({ understood, countries }: FoundBookings): string {
  const other = 'For another country, enter the full number, including the country code.';
  if (understood.length > 0)
    return `The number was understood as ${understood.join(' or ')}.${countries.length > 0 ? ` ${other}` : ''}`;
  return countries.length > 0
    ? `Numbers without a country code are looked up in the countries of your locations (${countries.join(', ')}), and none of these has such a number. ${other}`
    : 'Numbers without a country code need a location, because its country decides what they mean. Enter the full number, including the country code.';
}

/** The bookings that were found. The user can cancel them here without opening the page of each booking. */
function Found({ bookings, onReload }: { bookings: BookingSummary[]; onReload: Props['onReload'] }) {
  // Marks the canceled bookings without a new search, because each search adds an entry to the audit log.
  const [canceled, setCanceled] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<BookingSummary | null>(null);
  const [opened, setOpened] = useState(false);
  const open = (booking: BookingSummary) => {
    setChosen(booking);
    setOpened(true);
  };
  const [now] = useState(() => Date.now());
  // A booking that is canceled here does not move to the section of canceled bookings.
  const sections = new Map(bookings.map((one) => [one.reference, sectionAt(now, one)]));
  const shown = bookings.map((one) =>
    canceled.includes(one.reference) ? { ...one, status: 'cancelled' as const } : one,
  );
  return (
    <>
      <BookingsTable bookings={shown} onCancel={open} sectionOf={({ reference }) => sections.get(reference) ?? null} />
      {chosen && (
        <ActionDialog
          key={chosen.reference}
          booking={chosen}
          action="cancel"
          opened={opened}
          onClose={() => setOpened(false)}
          onDone={() => setCanceled([...canceled, chosen.reference])}
          onReload={onReload}
        />
      )}
    </>
  );
}
