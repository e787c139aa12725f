'use client';

import { Alert, Anchor } from '@mantine/core';
import { IconCalendarDue } from '@tabler/icons-react';
import { Fragment } from 'react';
import { Link } from '@/app/_components/link';
import { formatDate } from '../../_components/format';
import type { BookingDetail } from '../../_components/types';

type Props = { booking: BookingDetail; canEdit: boolean };

/** Names the bookings of the same specialist that overlap the booking since a change of time zone rules. */
export function OverlapAlert({ booking: { overlaps, specialist }, canEdit }: Props) {
  if (overlaps.length === 0) return null;
  return (
    <Alert
      color="red"
      icon={<IconCalendarDue aria-hidden />}
      title={`${specialist.name} has another appointment at this time`}
      role="status"
      mb="md"
    >
      The rules of a time zone changed. This booking now overlaps{' '}
      {overlaps.map(({ reference, service, date, start_time }, index) => (
        <Fragment key={reference}>
          {index > 0 && ', '}
          <Anchor component={Link} href={`/bookings/${reference}`} inherit c="inherit" underline="always">
            {service}, {formatDate(date)}, {start_time}
          </Anchor>
        </Fragment>
      ))}
      . Both remain confirmed.{' '}
      {canEdit
        ? 'Reschedule or cancel one of them.'
        : 'An owner or the front desk can reschedule or cancel one of them.'}
    </Alert>
  );
}
