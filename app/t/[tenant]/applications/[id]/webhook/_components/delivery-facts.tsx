'use client';

import { Anchor, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
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
  const t = useTranslations('webhooks.facts');
  const { booking_reference: reference, request_id: requestId, version } = delivery;
  return (
    <Facts>
      <Fact name={t('status')}>
        <DeliveryStateBadge state={delivery.state} />
        {delivery.state === 'held' && (
          <Text size="sm" c="dimmed" mt={4}>
            {t('held', { days: HELD_DAYS })}
          </Text>
        )}
      </Fact>
      <Fact name={t('type')}>
        {version === null ? delivery.type : t('typeVersion', { type: delivery.type, version })}
        {delivery.forged && (
          <Text size="sm" c="dimmed" mt={4}>
            {t('forged')}
          </Text>
        )}
      </Fact>
      <Fact name={t('delivery')}>
        <Id value={delivery.id} what={t('deliveryId')} />
      </Fact>
      <Fact name={t('event')}>
        <Id value={delivery.event_id} what={t('eventId')} />
      </Fact>
      {reference && (
        <Fact name={t('booking')}>
          <Id value={reference} what={t('reference')} />{' '}
          <Anchor component={Link} href={bookingHref(reference)} size="sm">
            {t('viewBooking')}
          </Anchor>
        </Fact>
      )}
      {reference && (
        <Fact name={t('source')}>
          {requestId ? (
            <Anchor component={Link} href={requestHref(requestId)} size="sm">
              {t('viewRequest')}
            </Anchor>
          ) : (
            t('controlCenter')
          )}
        </Fact>
      )}
      <Fact name={t('created')}>
        <Time value={delivery.created_at} />
      </Fact>
      <Fact name={t('scheduledAttempts')}>
        {t('scheduled', { count: delivery.scheduled_attempts, max: delivery.max_attempts })}
      </Fact>
      <Fact name={t('nextAttempt')}>
        <NextAttempt delivery={delivery} />
      </Fact>
    </Facts>
  );
}

function NextAttempt({ delivery }: { delivery: DeliveryDetail }) {
  const t = useTranslations('webhooks.facts');
  const { next_attempt_at: next } = delivery;
  if (delivery.under_way) return t('inProgress');
  if (delivery.state === 'held') return t('whenActive');
  if (delivery.manual_requested) return t('nowManual');
  return next ? <Time value={next} /> : t('noNext');
}
