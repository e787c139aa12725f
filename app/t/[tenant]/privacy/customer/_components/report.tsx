'use client';

import { Button, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { type Translator, useFormats } from '@/app/_components/language';
import { Fact, Facts } from '../../../_components/tables/facts';
import { utcText } from '../../../_components/time/time';
import { dateText, timeText } from '../../../bookings/_components/display/format';
import { formatPrice } from '../../../catalog/_components/prices/money';
import styles from './report.module.css';
import type { CustomerExport, ExportedBooking } from './types';

type Props = { data: CustomerExport; onBack: () => void };

/** All data of a customer as a readable page, for the screen and for print. */
export function Report({ data, onBack }: Props) {
  const t = useTranslations('privacy.report');
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <article className={styles.report} aria-label={t('label')}>
      <Group className={styles.buttons ?? ''} gap="sm">
        <Button variant="default" onClick={onBack}>
          {t('back')}
        </Button>
        <Button onClick={() => window.print()}>{t('print')}</Button>
      </Group>
      <h2 ref={title} tabIndex={-1}>
        {t('title', { business: data.business })}
      </h2>
      <p>
        {t('asOf', { time: utcText(data.exported_at), environment: data.environment })}{' '}
        {keptText(t, data.contact_kept_days)}
        {!data.complete && ` ${t('incomplete')}`}
      </p>
      {data.bookings.map((booking) => (
        <Booking key={booking.reference} booking={booking} />
      ))}
    </article>
  );
}

type Translate = Translator<'privacy.report'>;

function keptText(t: Translate, days: number | null): string {
  return days === null ? t('keptAlways') : t('keptDays', { days });
}

type Consent = ExportedBooking['consent'];

function consentText(t: Translate, { given_at, source, text_version, withdrawn_at }: Consent): string {
  const parts = [
    utcText(given_at),
    source,
    text_version && t('consentText', { version: text_version }),
    withdrawn_at && t('consentWithdrawn', { time: utcText(withdrawn_at) }),
  ];
  return parts.filter(Boolean).join(', ');
}

function Booking({ booking }: { booking: ExportedBooking }) {
  const t = useTranslations('privacy.report');
  const words = useTranslations('words');
  const format = useFormats();
  const { customer, consent, price, metadata } = booking;
  return (
    <section className={styles.booking} aria-label={t('booking', { reference: booking.reference })}>
      <h3>
        {t('when', {
          date: dateText(format, booking.date),
          start: timeText(format, booking.start_time),
          end: timeText(format, booking.end_time),
          zone: booking.time_zone,
        })}
      </h3>
      <Facts>
        <Fact name={t('name')}>{customer?.name ?? t('removed')}</Fact>
        <Fact name={t('phone')}>{customer?.phone ?? t('removed')}</Fact>
        <Fact name={t('email')}>{booking.email ?? '–'}</Fact>
        <Fact name={t('language')}>{booking.locale ?? '–'}</Fact>
        <Fact name={t('note')}>{booking.note ?? '–'}</Fact>
        {metadata &&
          Object.entries(metadata).map(([name, value]) => (
            <Fact key={name} name={t('metadata', { name })}>
              {value}
            </Fact>
          ))}
        <Fact name={t('appointment')}>
          {t('appointmentValue', {
            service: booking.service,
            specialist: booking.specialist,
            location: booking.location,
          })}
        </Fact>
        <Fact name={t('status')}>{words(`bookingStatus.${booking.status}`)}</Fact>
        <Fact name={t('price')}>{price ? formatPrice(price.amount, price.currency, format.language) : '–'}</Fact>
        <Fact name={t('reference')}>
          <code>{booking.reference}</code>
        </Fact>
        <Fact name={t('maker')}>
          {booking.partner
            ? t('byPartner', { partner: booking.partner, reference: booking.partner_reference ?? '' })
            : t('byBusiness')}
        </Fact>
        <Fact name={t('consent')}>{consentText(t, consent)}</Fact>
        <Fact name={t('created')}>{utcText(booking.created_at)}</Fact>
        {booking.cancelled_at && (
          <Fact name={t('canceled')}>
            {t('canceledBy', { time: utcText(booking.cancelled_at), by: booking.cancelled_by ?? '' })}
          </Fact>
        )}
      </Facts>
      <Entries
        title={t('events')}
        entries={booking.history.map(({ at, type, actor, webhook }) => {
          const event = { time: utcText(at), type, actor };
          return webhook ? t('eventWebhook', { ...event, state: webhook }) : t('event', event);
        })}
      />
      <Entries
        title={t('requests')}
        entries={booking.requests.map(({ at, method, route, status, request_id }) =>
          t('request', { time: utcText(at), request: `${method} ${route ?? ''} ${status} (${request_id})` }),
        )}
      />
      <Entries
        title={t('responses')}
        entries={booking.stored_responses.map(({ created_at, expires_at }) =>
          t('response', { created: utcText(created_at), expires: utcText(expires_at) }),
        )}
      />
      <Entries
        title={t('changes')}
        entries={booking.changes.map(({ at, action, actor }) => t('change', { time: utcText(at), action, actor }))}
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
