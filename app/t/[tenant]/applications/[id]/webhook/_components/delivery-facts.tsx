'use client';

import { Anchor, Text } from '@mantine/core';
import { Link } from '@/app/_components/link';
import type { DeliveryDetail } from '../../../../_components/api-types';
import { Id } from '../../../../_components/id';
import { Fact, Facts } from '../../../../_components/tables/facts';
import { Time } from '../../../../_components/time/time';
import { bookingHref } from '../../../../bookings/_components/query';
import { requestHref } from '../../../../requests/_components/query';
import { DeliveryStateBadge } from './state';
import { HELD_DAYS } from './words';

/** A delivery's properties. */
export function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const { booking_reference: reference, request_id: requestId, version } = delivery;
  return (
    <Facts>
      <Fact name="Status">
        <DeliveryStateBadge state={delivery.state} />
        {delivery.state === 'held' && (
          <Text size="sm" c="dimmed" mt={4}>
            Sent when the endpoint is active again. Kept for at least {HELD_DAYS} days after creation.
          </Text>
        )}
      </Fact>
      <Fact name="Event type">
        {delivery.type}
        {version !== null && `, version ${version} of the booking`}
        {delivery.forged && (
          <Text size="sm" c="dimmed" mt={4}>
            Its signature is wrong on purpose, for a signature check of the partner. The receiver should refuse it with
            a 4xx response.
          </Text>
        )}
      </Fact>
      <Fact name="Delivery">
        <Id value={delivery.id} what="delivery ID" />
      </Fact>
      <Fact name="Event">
        <Id value={delivery.event_id} what="event ID" />
      </Fact>
      {reference && (
        <Fact name="Booking">
          <Id value={reference} what="booking reference" />{' '}
          <Anchor component={Link} href={bookingHref(reference)} size="sm">
            View booking
          </Anchor>
        </Fact>
      )}
      {reference && (
        <Fact name="Source">
          {requestId ? (
            <Anchor component={Link} href={requestHref(requestId)} size="sm">
              View partner request
            </Anchor>
          ) : (
            'Change in the Control Center'
          )}
        </Fact>
      )}
      <Fact name="Created">
        <Time value={delivery.created_at} />
      </Fact>
      <Fact name="Scheduled attempts">
        {delivery.scheduled_attempts} of {delivery.max_attempts}
      </Fact>
      <Fact name="Next attempt">
        <NextAttempt delivery={delivery} />
      </Fact>
    </Facts>
  );
}

function NextAttempt({ delivery }: { delivery: DeliveryDetail }) {
  const { next_attempt_at: next } = delivery;
  if (delivery.under_way) return 'in progress';
  if (delivery.state === 'held') return 'when the endpoint is active again';
  if (delivery.manual_requested) return 'now (manual replay)';
  return next ? <Time value={next} /> : 'none';
}
