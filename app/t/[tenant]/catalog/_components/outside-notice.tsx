'use client';

import { Alert, Anchor, List, Stack, Text } from '@mantine/core';
import { IconCalendarExclamation } from '@tabler/icons-react';
import { Link } from '@/app/_components/link';
import { plural } from '../../_components/format';
import { formatDate } from '../../bookings/_components/format';
import { OUTSIDE_REASONS } from '../../bookings/_components/outside';
import { bookingHref } from '../../bookings/_components/query';
import styles from './catalog.module.css';
import type { Outside } from './types';

/**
 * Lists upcoming bookings that the catalog no longer allows. A change of the catalog neither cancels nor reschedules
 * them. `future` is true if the change has not been made yet, such as in the preview of an import.
 */
export function OutsideNotice({ outside, future = false }: { outside: Outside | undefined; future?: boolean }) {
  if (!outside || outside.count === 0) return null;
  const { count, first, complete } = outside;
  const match = future ? 'would no longer match' : count === 1 ? 'no longer matches' : 'no longer match';
  const title = `${plural(count, 'future booking')} ${match} the catalog`;
  return (
    <Alert color="yellow" icon={<IconCalendarExclamation aria-hidden />} title={title} role="status">
      <Stack gap="xs">
        <Text size="sm">
          Bookings are never canceled or rescheduled automatically. To cancel or reschedule a booking, open it.
        </Text>
        <OutsideList count={count} bookings={first} />
        {!complete && <Incomplete />}
      </Stack>
    </Alert>
  );
}

export function Incomplete() {
  return <Text size="sm">Only the next 10,000 bookings were checked.</Text>;
}

type ListProps = { count: number; bookings: Outside['first']; newTab?: boolean };

/**
 * Lists bookings that are outside the catalog, each with a link and the reason. A long list scrolls. If all times are
 * in the same time zone, one sentence above the list names this time zone. Otherwise, each booking names its time zone.
 */
export function OutsideList({ count, bookings, newTab = false }: ListProps) {
  const [zone, ...otherZones] = new Set(bookings.map(({ time_zone }) => time_zone));
  return (
    <>
      {zone && otherZones.length === 0 && <Text size="sm">Times are in {zone}.</Text>}
      <List size="sm" spacing={2} className={styles.outside}>
        {bookings.map((booking) => (
          <List.Item key={booking.reference}>
            <Anchor
              component={Link}
              href={bookingHref(booking.reference)}
              target={newTab ? '_blank' : undefined}
              inherit
              c="inherit"
              underline="always"
            >
              {formatDate(booking.date)}, {booking.start_time}
              {otherZones.length > 0 && ` (${booking.time_zone})`}, {booking.service_name}, {booking.specialist_name}
            </Anchor>
            , {booking.location_name}: {OUTSIDE_REASONS[booking.reason]}
          </List.Item>
        ))}
      </List>
      {count > bookings.length && <Text size="sm">and {plural(count - bookings.length, 'more', 'more')}</Text>}
    </>
  );
}
