'use client';

import { Anchor, Code, Group, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@/app/_components/link';
import { CopyValue } from '../../../_components/id';
import { Fact, Facts } from '../../../_components/tables/facts';
import { ZonedTime } from '../../../_components/time/zoned-time';
import { formatPrice } from '../../../catalog/_components/money';
import { requestsHref } from '../../../requests/_components/query';
import { formatDate } from '../../_components/format';
import { bookingsHref, dayHref } from '../../_components/query';
import type { BookingDetail } from '../../_components/types';

const REASONS: Record<string, string> = {
  customer_request: 'requested by the customer',
  duplicate: 'duplicate booking',
  other: 'other reason',
};

export function BookingFacts({ booking, viewsPartners }: { booking: BookingDetail; viewsPartners: boolean }) {
  const { application, location, date } = booking;
  return (
    <Facts>
      <Fact name="When">
        {formatDate(date)}, {booking.start_time}–{booking.end_time}
        <Text span c="dimmed" size="sm">
          {' '}
          {booking.time_zone}
        </Text>
      </Fact>
      <Fact name="Service">{booking.service.name}</Fact>
      <Fact name="Price">
        {booking.price ? (
          <>
            {formatPrice(booking.price.amount, booking.price.currency)}
            <Text span c="dimmed" size="sm">
              {' '}
              per seat, when booked
            </Text>
          </>
        ) : (
          'none recorded'
        )}
      </Fact>
      <Fact name="Specialist">{booking.specialist.name}</Fact>
      <Fact name="Location">
        {location.name}
        {' · '}
        <Anchor component={Link} href={dayHref({ location: location.id, date })} size="sm" underline="always">
          Day schedule
          <VisuallyHidden> of {location.name}</VisuallyHidden>
        </Anchor>
      </Fact>
      {application ? (
        <Fact name="Application">
          {viewsPartners ? (
            <Anchor component={Link} href={`/applications/${application.id}`} size="sm">
              {application.name}
            </Anchor>
          ) : (
            application.name
          )}
          {' · '}
          <Anchor
            component={Link}
            href={bookingsHref({ period: 'all', application: application.id })}
            size="sm"
            underline="always"
          >
            All bookings
            <VisuallyHidden> of {application.name}</VisuallyHidden>
          </Anchor>
        </Fact>
      ) : (
        <Fact name="Made by">The business. No partner sees this booking.</Fact>
      )}
      <Fact name={application ? 'External reference' : 'Number'}>
        <Group gap={4}>
          <Code>{booking.external_reference}</Code>
          <CopyValue value={booking.external_reference} label="Copy external reference" />
        </Group>
      </Fact>
      {viewsPartners && application && (
        <Fact name="Requests">
          <Anchor component={Link} href={requestsHref({ reference: booking.reference, period: '30d' })} size="sm">
            Requests for this booking
          </Anchor>
        </Fact>
      )}
      <Changes booking={booking} />
    </Facts>
  );
}

/**
 * The facts about changes to the booking: the version, the partner's deadline, the cancellation, and the creation time.
 */
function Changes({ booking }: { booking: BookingDetail }) {
  return (
    <>
      <Fact name="Version">{booking.version}</Fact>
      {booking.local.change_deadline && (
        <Fact name="Partner can make changes until">
          <ZonedTime value={booking.local.change_deadline} timeZone={booking.time_zone} />
        </Fact>
      )}
      {booking.cancelled_at && (
        <Fact name="Canceled">
          by {booking.cancelled_by === 'owner' ? 'the business' : 'the partner'}
          {booking.cancel_reason && `: ${REASONS[booking.cancel_reason] ?? booking.cancel_reason}`}
        </Fact>
      )}
      <Fact name="Booked">
        <ZonedTime value={booking.local.created_at} timeZone={booking.time_zone} />
      </Fact>
    </>
  );
}
