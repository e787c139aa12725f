'use client';

import { Alert } from '@mantine/core';
import { IconCalendarExclamation } from '@tabler/icons-react';
import type { OutsideReason } from '../../_components/outside';
import type { BookingDetail } from '../../_components/types';

type Props = { booking: BookingDetail; canEdit: boolean };

/** States why the booking no longer matches the hours or the catalog, and what the member can do. */
export function OutsideAlert({ booking, canEdit }: Props) {
  if (!booking.outside) return null;
  const { title, action } = TEXTS[booking.outside](booking);
  return (
    <Alert color="yellow" icon={<IconCalendarExclamation aria-hidden />} title={title} role="status" mb="md">
      The booking remains confirmed until someone changes it.{' '}
      {canEdit ? action : 'An owner or the front desk can reschedule or cancel it.'}
    </Alert>
  );
}

const MOVE = 'Reschedule or cancel it.';
const publish = (record: string) =>
  `Cancel the booking, or have an owner publish the ${record}. The booking can be rescheduled only while the ${record} is published.`;

type Texts = (booking: BookingDetail) => { title: string; action: string };

const TEXTS: Record<OutsideReason, Texts> = {
  outside_hours: ({ location, specialist }) => ({
    title: `Outside the opening hours of ${location.name} or the working hours of ${specialist.name}`,
    action: MOVE,
  }),
  blocked: ({ specialist }) => ({ title: `The time of ${specialist.name} is blocked`, action: MOVE }),
  specialist_unpublished: ({ specialist }) => ({ title: `${specialist.name} is unpublished`, action: MOVE }),
  not_offered: ({ service, location, specialist }) => ({
    title: `${specialist.name} no longer offers ${service.name} at ${location.name}`,
    action: MOVE,
  }),
  service_unpublished: ({ service }) => ({
    title: `${service.name} is unpublished`,
    action: publish('service'),
  }),
  location_unpublished: ({ location }) => ({
    title: `${location.name} is unpublished`,
    action: publish('location'),
  }),
};
