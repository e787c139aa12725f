import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { Fact, Facts } from '../../_components/facts';
import { formatDate } from './format';
import type { BookingSummary } from './types';

type Named = { name: string };
type Props = {
  service: Named;
  location: Named;
  /** The booking's specialist. If this is not set, `children` must name the specialists. */
  specialist?: Named;
  externalReference: string;
  application: Named;
  /** The facts about the time. */
  children: ReactNode;
};

/** The facts that identify a booking in a dialog that changes the booking. They contain no data of the customer. */
export function DialogFacts({ service, location, specialist, externalReference, application, children }: Props) {
  return (
    <Facts dense>
      <Fact name="Service">{service.name}</Fact>
      {children}
      <Fact name="Location">{location.name}</Fact>
      {specialist && <Fact name="Specialist">{specialist.name}</Fact>}
      <Fact name="External reference">
        <Code>{externalReference}</Code>
      </Fact>
      <Fact name="Application">{application.name}</Fact>
    </Facts>
  );
}

type BookingProps = {
  booking: BookingSummary;
  /** The label of the booking's time, such as `When`. */
  when: string;
};

/** The facts that identify `booking` in a dialog (see `DialogFacts`). `when` is the label of its date and time. */
export function BookingDialogFacts({ booking, when }: BookingProps) {
  const { date, start_time, end_time, time_zone, service, location, specialist, application } = booking;
  return (
    <DialogFacts {...{ service, location, specialist, application }} externalReference={booking.external_reference}>
      <Fact name={when}>
        {formatDate(date)}, {start_time}–{end_time} ({time_zone})
      </Fact>
    </DialogFacts>
  );
}
