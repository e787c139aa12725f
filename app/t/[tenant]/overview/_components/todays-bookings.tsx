'use client';

import { Anchor, Group, Paper, SimpleGrid, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@/app/_components/link';
import { formatCount, plural } from '../../_components/format';
import { ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { useCustomerNames, ViewedNames } from '../../bookings/_components/customer-names';
import { formatDate } from '../../bookings/_components/format';
import { bookingHref, bookingsHref, dayHref } from '../../bookings/_components/query';
import styles from './todays-bookings.module.css';
import type { Today } from './types';

/** Shows how many bookings each location has today, and the next of them. */
export function TodaysBookings({ seesNames }: { seesNames: boolean }) {
  const trpc = useTRPC();
  const today = useQuery({ ...trpc.overview.today.queryOptions(), refetchInterval: 60_000 });
  return (
    <Stack component="section" gap="sm" aria-labelledby="today">
      <Title id="today" order={2} size="h4">
        Today’s bookings
      </Title>
      {today.data ? (
        <ViewedNames view="today" references={referencesOf(today.data)} isAllowed={seesNames}>
          <Locations today={today.data} />
        </ViewedNames>
      ) : today.isError ? (
        <ErrorState error={today.error} retry={() => void today.refetch()} />
      ) : (
        <LoadingRows rows={2} />
      )}
    </Stack>
  );
}

const referencesOf = ({ shown }: Today) => shown.flatMap(({ next }) => next.map(({ reference }) => reference));

function Locations({ today: { bookings, locations, shown } }: { today: Today }) {
  if (bookings === 0) {
    return (
      <Text size="sm" c="dimmed">
        No bookings today. <BookingsLink>View upcoming bookings</BookingsLink>
      </Text>
    );
  }
  return (
    <>
      {locations > 1 && (
        <Text size="sm">
          {plural(bookings, 'booking')} at {plural(locations, 'location')}
          {locations > shown.length && ` (${shown.length} shown)`}. <BookingsLink>View all bookings</BookingsLink>
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

function BookingsLink({ children }: { children: string }) {
  return (
    <Anchor component={Link} href={bookingsHref({})} inherit fw={600}>
      {children}
    </Anchor>
  );
}

function Location({ today }: { today: Today['shown'][number] }) {
  const { location, date, time_zone, bookings, remaining, next } = today;
  const more = remaining - next.length;
  const names = useCustomerNames();
  return (
    <Paper withBorder p="md" bg="var(--app-surface)">
      <Group justify="space-between" align="flex-start" gap="xs">
        <div>
          <Title order={3} size="h5">
            {location.name}
          </Title>
          <Text size="xs" c="dimmed">
            {formatDate(date)}, {time_zone}
          </Text>
        </div>
        <Anchor
          component={Link}
          href={dayHref({ location: location.id, date })}
          size="sm"
          fw={600}
          aria-label={`Day schedule for ${location.name}`}
        >
          Day schedule
        </Anchor>
      </Group>
      <Text size="sm" mt="xs">
        {plural(bookings, 'booking')}, {remaining === 0 ? 'none left today' : `${formatCount(remaining)} still to come`}
      </Text>
      {next.length > 0 && (
        <ul className={styles.next} aria-label={`Next bookings at ${location.name}`}>
          {next.map(({ reference, start_time, end_time, started, service, specialist }) => (
            <li key={reference}>
              <Anchor component={Link} href={bookingHref(reference)} size="sm" fw={600} className={styles.time}>
                {start_time}–{end_time}
                <VisuallyHidden>
                  , {service}, {specialist}
                </VisuallyHidden>
              </Anchor>
              <span>
                {names.has(reference) && (
                  <>
                    <bdi>{names.get(reference)}</bdi> ·{' '}
                  </>
                )}
                {service}, {specialist}
                {started && <span className={styles.dimmed}> · in progress</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          and {formatCount(more)} more
        </Text>
      )}
    </Paper>
  );
}
