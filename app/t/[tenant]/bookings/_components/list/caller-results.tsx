'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import { Problem } from '../../../_components/forms/form-end';
import { EmptyState, ErrorState } from '../../../_components/states';
import { ActionDialog } from '../dialogs/action-dialog';
import { FoundNames } from '../display/customer-names';
import type { BookingSummary, FoundBookings } from '../types';
import { BookingsTable } from './bookings-table';
import { sectionAt } from './days';

type Failure = {
  message: string;
  data?: { code?: string; reason?: string | null; fields?: { message: string }[] } | null;
} | null;
type Props = {
  found: FoundBookings | undefined;
  error: Failure;
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
  const t = useTranslations('bookings.found');
  const invalid = error?.data?.fields?.[0]?.message;
  if (invalid) return <Problem error={t(byName ? 'invalidName' : 'invalidPhone', { problem: invalid })} />;
  if (error) return <ErrorState error={error} retry={onRetry} />;
  if (!found) return null;
  const clear = (
    <Button variant="default" size="xs" onClick={onClear}>
      {t('showAll')}
    </Button>
  );
  if (found.bookings.length === 0) {
    return (
      <EmptyState
        title={titleOf(t, found, byName)}
        action={
          <Group gap="xs" justify="center">
            {onReference && (
              <Button variant="default" size="xs" onClick={onReference}>
                {t('byReference')}
              </Button>
            )}
            {clear}
          </Group>
        }
      >
        {byName ? t('nameSearch') : lookedUp(t, found)} {t('removed')}
      </EmptyState>
    );
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" role="status">
          {t(found.truncated ? 'firstSummary' : 'summary', {
            count: found.bookings.length,
            searched: eitherOf(t, found.understood),
          })}
        </Text>
        {clear}
      </Group>
      <FoundNames value={new Map((found.names ?? []).map(({ reference, name }) => [reference, name]))}>
        <Found bookings={found.bookings} onReload={onReload} />
      </FoundNames>
    </Stack>
  );
}

type FoundTexts = Translator<'bookings.found'>;

const eitherOf = (t: FoundTexts, texts: readonly string[]) =>
  texts.reduce((first, second) => (first === '' ? second : t('or', { first, second })), '');

function titleOf(t: FoundTexts, { understood }: FoundBookings, byName: boolean): string {
  if (byName) return t('noName');
  return t(understood.length > 0 ? 'noPhone' : 'notPhone');
}

function lookedUp(t: FoundTexts, { understood, countries }: FoundBookings): string {
  if (understood.length === 0 && countries.length === 0) return t('noCountry');
  const first =
    understood.length > 0
      ? t('understood', { numbers: eitherOf(t, understood) })
      : t('noSuchNumber', { countries: countries.join(', ') });
  return countries.length > 0 ? `${first} ${t('otherCountry')}` : first;
}

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
