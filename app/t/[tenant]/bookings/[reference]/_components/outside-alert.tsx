'use client';

import { Alert } from '@mantine/core';
import { IconCalendarExclamation } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { OutsideReason } from '../../_components/outside';
import type { BookingDetail } from '../../_components/types';

type Props = { booking: BookingDetail; canEdit: boolean };

/** States why the booking no longer matches the hours or the catalog, and what the member can do. */
export function OutsideAlert({ booking, canEdit }: Props) {
  const t = useTranslations('bookings.booking.outside');
  const { outside, service, location, specialist } = booking;
  if (!outside) return null;
  const names = { service: service.name, location: location.name, specialist: specialist.name };
  return (
    <Alert
      color="yellow"
      icon={<IconCalendarExclamation aria-hidden />}
      title={t(`titles.${outside}`, names)}
      role="status"
      mb="md"
    >
      {t('remains')} {t(canEdit ? ACTIONS[outside] : 'others')}
    </Alert>
  );
}

const ACTIONS: Record<OutsideReason, 'move' | 'publishService' | 'publishLocation'> = {
  outside_hours: 'move',
  blocked: 'move',
  specialist_unpublished: 'move',
  not_offered: 'move',
  service_unpublished: 'publishService',
  location_unpublished: 'publishLocation',
};
