'use client';

import { Alert, Anchor, List, Stack, Text } from '@mantine/core';
import { IconCalendarExclamation } from '@tabler/icons-react';
import Link from 'next/link';
import { plural } from '../../_components/format';
import { formatDate } from '../../bookings/_components/format';
import { bookingHref } from '../../bookings/_components/query';
import type { Outside } from './types';

const REASONS: Record<Outside['first'][number]['reason'], string> = {
  service_unpublished: 'the service is not published',
  location_unpublished: 'the location is not published',
  specialist_unpublished: 'the specialist is not published',
  not_offered: 'the specialist does not offer this here',
  outside_hours: 'outside the hours',
};

/** Says which future bookings the catalog would not offer now. They stay as they are. */
export function OutsideNotice({ outside, future = false }: { outside: Outside | undefined; future?: boolean }) {
  if (!outside || outside.count === 0) return null;
  const { count, first, complete } = outside;
  const lie = count === 1 ? 'lies' : 'lie';
  const title = future
    ? `${plural(count, 'future booking')} would lie outside`
    : `${plural(count, 'future booking')} ${lie} outside`;
  return (
    <Alert color="yellow" icon={<IconCalendarExclamation aria-hidden />} title={title} role="status">
      <Stack gap="xs">
        <Text size="sm">
          {count === 1 ? 'It stays' : 'They stay'} as {count === 1 ? 'it is' : 'they are'}: nothing is cancelled or
          moved. Decide about each on its own page.
        </Text>
        <List size="sm" spacing={2}>
          {first.map((booking) => (
            <List.Item key={booking.reference}>
              <Anchor
                component={Link}
                href={bookingHref(booking.reference)}
                inherit
                c="inherit"
                underline="always"
                prefetch={false}
              >
                {formatDate(booking.date)}, {booking.start_time}
              </Anchor>{' '}
              {booking.service_name}, {booking.specialist_name}, {booking.location_name}: {REASONS[booking.reason]}
            </List.Item>
          ))}
        </List>
        {count > first.length && <Text size="sm">and {plural(count - first.length, 'more', 'more')}</Text>}
        {!complete && <Text size="sm">Only the soonest 10,000 bookings were looked at.</Text>}
      </Stack>
    </Alert>
  );
}
