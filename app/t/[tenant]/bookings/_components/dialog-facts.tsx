import { Code } from '@mantine/core';
import { Fact, Facts } from '../../_components/tables/facts';
import { formatDate, makerName } from './format';
import type { BookingSummary } from './types';

type Named = { name: string };

/** What identifies a booking in a dialog that changes it. */
export type BookingFacts = Pick<
  BookingSummary,
  'date' | 'start_time' | 'end_time' | 'time_zone' | 'external_reference'
> & { service: Named; location: Named; specialist: Named; application: Named | null };

/**
 * The facts that identify a booking in a dialog that changes the booking. They contain no data of the customer.
 * `when` is the label of its date and time.
 */
export function BookingDialogFacts({ booking, when }: { booking: BookingFacts; when: string }) {
  const { date, start_time, end_time, time_zone } = booking;
  return (
    <Facts dense>
      <Fact name="Service">{booking.service.name}</Fact>
      <Fact name={when}>
        {formatDate(date)}, {start_time}–{end_time} ({time_zone})
      </Fact>
      <Fact name="Location">{booking.location.name}</Fact>
      <Fact name="Specialist">{booking.specialist.name}</Fact>
      <Fact name="External reference">
        <Code>{booking.external_reference}</Code>
      </Fact>
      <Fact name="Made by">{makerName(booking.application)}</Fact>
    </Facts>
  );
}
