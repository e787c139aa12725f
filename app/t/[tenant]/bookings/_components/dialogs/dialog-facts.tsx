'use client';

import { Code } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Fact, Facts } from '../../../_components/tables/facts';
import { dateText, makerText, timesText } from '../display/format';
import type { BookingSummary } from '../types';

type Named = { name: string };

/** What identifies a booking in a dialog that changes it. */
export type BookingFacts = Pick<
  BookingSummary,
  'date' | 'start_time' | 'end_time' | 'time_zone' | 'external_reference'
> & { service: Named; location: Named; specialist: Named; application: Named | null };

/** Shows what identifies a booking, without data of the customer. `when` is the label of the date and time. */
export function BookingDialogFacts({ booking, when }: { booking: BookingFacts; when: string }) {
  const t = useTranslations('bookings.booking.facts');
  const words = useTranslations('words');
  const format = useFormats();
  const { date, time_zone } = booking;
  return (
    <Facts>
      <Fact name={t('service')}>{booking.service.name}</Fact>
      <Fact name={when}>
        {dateText(format, date)}, {timesText(format, booking)} ({time_zone})
      </Fact>
      <Fact name={t('location')}>{booking.location.name}</Fact>
      <Fact name={t('specialist')}>{booking.specialist.name}</Fact>
      <Fact name={t('external')}>
        <Code>{booking.external_reference}</Code>
      </Fact>
      <Fact name={t('madeBy')}>{makerText(words, booking.application)}</Fact>
    </Facts>
  );
}
