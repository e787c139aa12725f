'use client';

import { Anchor, Code, Group, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import { CopyValue } from '../../../_components/id';
import { Fact, Facts } from '../../../_components/tables/facts';
import { ZonedTime } from '../../../_components/time/zoned-time';
import { formatPrice } from '../../../catalog/_components/money';
import { requestsHref } from '../../../requests/_components/query';
import { dateText, timesText } from '../../_components/format';
import { bookingsHref, dayHref } from '../../_components/query';
import type { BookingDetail } from '../../_components/types';

const REASONS = ['customer_request', 'duplicate', 'other'] as const;

const hidden = (text: ReactNode) => <VisuallyHidden>{text}</VisuallyHidden>;

export function BookingFacts({ booking, viewsPartners }: { booking: BookingDetail; viewsPartners: boolean }) {
  const t = useTranslations('bookings.booking.facts');
  const format = useFormats();
  const { application, location, date, price } = booking;
  return (
    <Facts>
      <Fact name={t('when')}>
        {dateText(format, date)}, {timesText(format, booking)}
        <Text span c="dimmed" size="sm">
          {' '}
          {booking.time_zone}
        </Text>
      </Fact>
      <Fact name={t('service')}>{booking.service.name}</Fact>
      <Fact name={t('price')}>
        {price
          ? t.rich('perSeat', {
              price: formatPrice(price.amount, price.currency, format.language),
              dim: (text) => (
                <Text span c="dimmed" size="sm">
                  {text}
                </Text>
              ),
            })
          : t('noPrice')}
      </Fact>
      <Fact name={t('specialist')}>{booking.specialist.name}</Fact>
      <Fact name={t('location')}>
        {location.name}
        {' · '}
        <Anchor component={Link} href={dayHref({ location: location.id, date })} size="sm" underline="always">
          {t.rich('day', { location: location.name, hidden })}
        </Anchor>
      </Fact>
      {application ? (
        <Fact name={t('application')}>
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
            {t.rich('bookingsOf', { application: application.name, hidden })}
          </Anchor>
        </Fact>
      ) : (
        <Fact name={t('madeBy')}>{t('byBusiness')}</Fact>
      )}
      <Fact name={t(application ? 'external' : 'number')}>
        <Group gap={4}>
          <Code>{booking.external_reference}</Code>
          <CopyValue value={booking.external_reference} label={t('copy')} />
        </Group>
      </Fact>
      {viewsPartners && application && (
        <Fact name={t('requests')}>
          <Anchor component={Link} href={requestsHref({ reference: booking.reference, period: '30d' })} size="sm">
            {t('requestsLink')}
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
  const t = useTranslations('bookings.booking.facts');
  const who = booking.cancelled_by === 'owner' ? 'owner' : 'partner';
  const reason = REASONS.find((one) => one === booking.cancel_reason);
  return (
    <>
      <Fact name={t('version')}>{booking.version}</Fact>
      {booking.local.change_deadline && (
        <Fact name={t('deadline')}>
          <ZonedTime value={booking.local.change_deadline} timeZone={booking.time_zone} />
        </Fact>
      )}
      {booking.cancelled_at && (
        <Fact name={t('cancelled')}>
          {booking.cancel_reason
            ? t('cancelledFor', { who, reason: reason ? t(`reasons.${reason}`) : booking.cancel_reason })
            : t('cancelledBy', { who })}
        </Fact>
      )}
      <Fact name={t('booked')}>
        <ZonedTime value={booking.local.created_at} timeZone={booking.time_zone} />
      </Fact>
    </>
  );
}
