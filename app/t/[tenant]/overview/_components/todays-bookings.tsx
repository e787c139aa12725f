'use client';

import { Group, Paper, SimpleGrid, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import { NotLoaded } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { useCustomerNames, ViewedNames } from '../../bookings/_components/display/customer-names';
import { dateText, timesText } from '../../bookings/_components/display/format';
import { bookingHref, bookingsHref, dayHref } from '../../bookings/_components/query';
import styles from './todays-bookings.module.css';
import type { Today } from './types';

/** Shows how many bookings each location has today, and the next of them. */
export function TodaysBookings({ seesNames }: { seesNames: boolean }) {
  const t = useTranslations('overview.today');
  const trpc = useTRPC();
  const today = useQuery({ ...trpc.overview.today.queryOptions(), refetchInterval: 60_000 });
  return (
    <Stack component="section" gap="sm" aria-labelledby="today">
      <Title id="today" order={2} size="h4">
        {t('title')}
      </Title>
      {today.data ? (
        <ViewedNames view="today" references={referencesOf(today.data)} isAllowed={seesNames}>
          <Locations today={today.data} />
        </ViewedNames>
      ) : (
        <NotLoaded query={today} rows={2} />
      )}
    </Stack>
  );
}

const referencesOf = ({ shown }: Today) => shown.flatMap(({ next }) => next.map(({ reference }) => reference));

function Locations({ today: { bookings, locations, shown } }: { today: Today }) {
  const t = useTranslations('overview.today');
  if (bookings === 0) {
    return <Hint>{t.rich('none', { link: bookingsLink })}</Hint>;
  }
  return (
    <>
      {locations > 1 && (
        <Text size="sm">
          {t.rich(locations > shown.length ? 'summaryShown' : 'summary', {
            ...{ bookings, locations, shown: `${shown.length}` },
            link: bookingsLink,
          })}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, md: shown.length > 1 ? 2 : 1 }} spacing="md">
        {shown.map((one) => (
          <Location key={one.location.id} today={one} />
        ))}
      </SimpleGrid>
    </>
  );
}

const bookingsLink = (chunks: ReactNode) => (
  <TextLink href={bookingsHref({})} inherit fw={600}>
    {chunks}
  </TextLink>
);

function Location({ today }: { today: Today['shown'][number] }) {
  const t = useTranslations('overview.today');
  const format = useFormats();
  const { location, date, time_zone, bookings, remaining, next } = today;
  const more = remaining - next.length;
  const names = useCustomerNames();
  return (
    <Paper withBorder p="md" bg="var(--app-surface)">
      <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
        <div>
          <Title order={3} size="h5">
            {location.name}
          </Title>
          <Hint size="xs">
            {dateText(format, date)}, {time_zone}
          </Hint>
        </div>
        <TextLink
          href={dayHref({ location: location.id, date })}
          fw={600}
          style={{ whiteSpace: 'nowrap' }}
          aria-label={t('dayFor', { location: location.name })}
        >
          {t('day')}
        </TextLink>
      </Group>
      <Text size="sm" mt="xs">
        {t('left', { bookings, remaining })}
      </Text>
      {next.length > 0 && (
        <ul className={styles.next} aria-label={t('next', { location: location.name })}>
          {next.map(({ reference, start_time, end_time, started, service, specialist }) => (
            <li key={reference}>
              <TextLink href={bookingHref(reference)} fw={600} className={styles.time}>
                {timesText(format, { start_time, end_time })}
                <VisuallyHidden>
                  , {service}, {specialist}
                </VisuallyHidden>
              </TextLink>
              <span>
                {names.has(reference) && (
                  <>
                    <bdi>{names.get(reference)}</bdi> ·{' '}
                  </>
                )}
                {service}, {specialist}
                {started && <span className={styles.dimmed}> · {t('inProgress')}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Hint size="xs" mt={4}>
          {t('more', { count: format.count(more) })}
        </Hint>
      )}
    </Paper>
  );
}
