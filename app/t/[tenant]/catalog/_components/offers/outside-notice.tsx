'use client';

import { Alert, List, Stack, Text } from '@mantine/core';
import { IconCalendarExclamation } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import { dateText, timeText } from '../../../bookings/_components/display/format';
import { bookingHref } from '../../../bookings/_components/query';
import styles from '../catalog.module.css';
import type { Outside } from '../types';

/**
 * Lists upcoming bookings that the catalog no longer allows. A change of the catalog neither cancels nor reschedules
 * them. `future` is true if the change has not been made yet, such as in the preview of an import.
 */
export function OutsideNotice({ outside, future = false }: { outside: Outside | undefined; future?: boolean }) {
  const t = useTranslations('catalog.outside');
  if (!outside || outside.count === 0) return null;
  const { count, first, complete } = outside;
  const title = t(future ? 'wouldMatch' : 'matches', { count });
  return (
    <Alert color="yellow" icon={<IconCalendarExclamation aria-hidden />} title={title} role="status">
      <Stack gap="xs">
        <Text size="sm">{t('never')}</Text>
        <OutsideList count={count} bookings={first} />
        {!complete && <Incomplete />}
      </Stack>
    </Alert>
  );
}

export function Incomplete() {
  const t = useTranslations('affected.list');
  return <Text size="sm">{t('incomplete')}</Text>;
}

type ListProps = { count: number; bookings: Outside['first']; newTab?: boolean };

/**
 * Lists bookings that are outside the catalog, each with a link and the reason. A long list scrolls. If all times are
 * in the same time zone, one sentence above the list names this time zone. Otherwise, each booking names its time zone.
 */
export function OutsideList({ count, bookings, newTab = false }: ListProps) {
  const t = useTranslations('affected.list');
  const format = useFormats();
  const [zone, ...otherZones] = new Set(bookings.map(({ time_zone }) => time_zone));
  return (
    <>
      {zone && otherZones.length === 0 && <Text size="sm">{t('zone', { zone })}</Text>}
      <List size="sm" spacing={2} className={styles.outside}>
        {bookings.map((booking) => (
          <List.Item key={booking.reference}>
            {t.rich(otherZones.length > 0 ? 'bookingInZone' : 'booking', {
              date: dateText(format, booking.date),
              time: timeText(format, booking.start_time),
              zone: booking.time_zone,
              service: booking.service_name,
              specialist: booking.specialist_name,
              location: booking.location_name,
              reason: t(`reasons.${booking.reason}`),
              link: (text) => (
                <TextLink
                  href={bookingHref(booking.reference)}
                  target={newTab ? '_blank' : undefined}
                  inherit
                  c="inherit"
                  underline="always"
                >
                  {text}
                </TextLink>
              ),
            })}
          </List.Item>
        ))}
      </List>
      {count > bookings.length && <Text size="sm">{t('more', { count: count - bookings.length })}</Text>}
    </>
  );
}
