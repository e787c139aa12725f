'use client';

import { Button, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Fact, Facts } from '../../../_components/tables/facts';
import { utcText } from '../../../_components/time/time';
import { formatDate, STATUS_NAMES } from '../../../bookings/_components/format';
import { formatPrice } from '../../../catalog/_components/money';
import styles from './report.module.css';
import type { CustomerExport, ExportedBooking } from './types';

type Props = { data: CustomerExport; onBack: () => void };

/** All data of a customer as a readable page, for the screen and for print. */
export function Report({ data, onBack }: Props) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <article className={styles.report} aria-label="Data of the customer">
      <Group className={styles.buttons ?? ''} gap="sm">
        <Button variant="default" onClick={onBack}>
          Back to the bookings
        </Button>
        <Button onClick={() => window.print()}>Print</Button>
      </Group>
      <h2 ref={title} tabIndex={-1}>
        Personal data at {data.business}
      </h2>
      <p>
        As of {utcText(data.exported_at)}, {data.environment}. {keptText(data.contact_kept_days)}
        {!data.complete && ' The lists of history, requests, and changes are too long and not complete.'}
      </p>
      {data.bookings.map((booking) => (
        <Booking key={booking.reference} booking={booking} />
      ))}
    </article>
  );
}

function keptText(days: number | null): string {
  return days === null
    ? 'Contacts are kept until they are erased.'
    : `Contacts are removed ${days} days after the appointment.`;
}

function Booking({ booking }: { booking: ExportedBooking }) {
  const { customer, consent, price, metadata } = booking;
  return (
    <section className={styles.booking} aria-label={`Booking ${booking.reference}`}>
      <h3>
        {formatDate(booking.date)}, {booking.start_time}–{booking.end_time} ({booking.time_zone})
      </h3>
      <Facts>
        <Fact name="Name">{customer?.name ?? 'Removed'}</Fact>
        <Fact name="Phone number">{customer?.phone ?? 'Removed'}</Fact>
        <Fact name="Email address">{booking.email ?? '–'}</Fact>
        <Fact name="Language">{booking.locale ?? '–'}</Fact>
        <Fact name="Note">{booking.note ?? '–'}</Fact>
        {metadata &&
          Object.entries(metadata).map(([name, value]) => (
            <Fact key={name} name={`Metadata: ${name}`}>
              {value}
            </Fact>
          ))}
        <Fact name="Appointment">
          {booking.service} with {booking.specialist}, {booking.location}
        </Fact>
        <Fact name="Status">{STATUS_NAMES[booking.status]}</Fact>
        <Fact name="Price">{price ? formatPrice(price.amount, price.currency) : '–'}</Fact>
        <Fact name="Reference">
          <code>{booking.reference}</code>
        </Fact>
        <Fact name="Made by">
          {booking.partner ? `${booking.partner}, its reference: ${booking.partner_reference}` : 'The business'}
        </Fact>
        <Fact name="Consent to contact">
          {utcText(consent.given_at)}
          {consent.source && `, ${consent.source}`}
          {consent.text_version && `, text ${consent.text_version}`}
          {consent.withdrawn_at && `, withdrawn ${utcText(consent.withdrawn_at)}`}
        </Fact>
        <Fact name="Created">{utcText(booking.created_at)}</Fact>
        {booking.cancelled_at && (
          <Fact name="Canceled">
            {utcText(booking.cancelled_at)} by the {booking.cancelled_by === 'owner' ? 'business' : 'partner'}
          </Fact>
        )}
      </Facts>
      <Entries
        title="Events, which contain no contact"
        entries={booking.history.map(
          ({ at, type, actor, webhook }) =>
            `${utcText(at)}: ${type} by ${actor}${webhook ? `, webhook ${webhook}` : ''}`,
        )}
      />
      <Entries
        title="Requests of the partner, logged without contact"
        entries={booking.requests.map(
          ({ at, method, route, status, request_id }) =>
            `${utcText(at)}: ${method} ${route ?? ''} ${status} (${request_id})`,
        )}
      />
      <Entries
        title="Responses stored for repeated requests"
        entries={booking.stored_responses.map(
          ({ created_at, expires_at }) => `${utcText(created_at)}, deleted after ${utcText(expires_at)}`,
        )}
      />
      <Entries
        title="Who changed the booking or saw the contact"
        entries={booking.changes.map(({ at, action, actor }) => `${utcText(at)}: ${action} by ${actor}`)}
      />
    </section>
  );
}

function Entries({ title, entries }: { title: string; entries: readonly string[] }) {
  if (entries.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: The list never changes, and entries can be equal.
          <li key={index}>{entry}</li>
        ))}
      </ul>
    </>
  );
}
