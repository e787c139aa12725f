'use client';

import { Anchor, Code, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import { CopyValue, Id } from '../../../_components/id';
import { Fact, Facts } from '../../../_components/tables/facts';
import { bookingHref } from '../../../bookings/_components/query';
import { formatDuration } from '../../_components/format';
import { requestHref, requestsHref } from '../../_components/query';
import type { RequestDetail } from '../../_components/types';

/** The fields of the log entry. Most fields without a value are omitted. */
export function LogEntry({ request }: { request: RequestDetail }) {
  const t = useTranslations('requests.log');
  const format = useFormats();
  const { application, key, replayed_from: original } = request;
  return (
    <Facts>
      <LogField name={t('utc')}>{request.at.replace('T', ' ').replace('Z', ' UTC')}</LogField>
      <LogField name={t('method')}>{request.method}</LogField>
      <LogField name={t('route')}>{request.route ?? t('unknownRoute')}</LogField>
      {request.path !== request.route && <LogField name={t('path')}>{request.path ?? t('noPath')}</LogField>}
      <LogField name={t('status')}>{request.status}</LogField>
      <LogField name={t('code')}>{request.code}</LogField>
      <LogField name={t('reason')}>{request.reason}</LogField>
      <LogField name={t('invalidFields')}>{request.invalid_fields.join(', ')}</LogField>
      <LogField name={t('duration')}>{formatDuration(request.duration_ms, format)}</LogField>
      <LogField name={t('application')}>
        {application && (
          <Anchor component={Link} href={`/applications/${application.id}`} size="sm">
            {application.name}
          </Anchor>
        )}
      </LogField>
      <LogField name={t('key')}>
        {key && (
          <Anchor component={Link} href={requestsHref({ key: key.id })} size="sm">
            {key.name} ({key.prefix}…{key.last_four})
          </Anchor>
        )}
      </LogField>
      <LogField name={t('address')}>{request.address}</LogField>
      <LogField name={t('origin')}>{request.origin}</LogField>
      <LogField name={t('userAgent')}>{request.user_agent}</LogField>
      <LogField name={t('idempotencyKey')}>{request.had_idempotency_key ? t('hashed') : null}</LogField>
      <LogField name={t('replayOf')}>
        {original && (
          <Anchor component={Link} href={requestHref(original)} size="sm">
            {original}
          </Anchor>
        )}
      </LogField>
      <Reference name={t('booking')} value={request.booking_reference} />
      <Reference name={t('external')} value={request.external_reference} />
    </Facts>
  );
}

function LogField({ name, children }: { name: string; children: ReactNode }) {
  const isMissing = children === null || children === undefined || children === '';
  return isMissing ? null : <Fact name={name}>{children}</Fact>;
}

/** A reference with a copy button and a link to all requests with the same reference. */
function Reference({ name, value }: { name: string; value: string | null }) {
  const t = useTranslations('requests.log');
  if (value === null) return <LogField name={name}>{null}</LogField>;
  return (
    <LogField name={name}>
      <Group gap="xs">
        {value.startsWith('pbr_') ? (
          <>
            <Id value={value} what={t('bookingReference')} />
            <Anchor component={Link} href={bookingHref(value)} size="sm">
              {t('viewBooking')}
            </Anchor>
          </>
        ) : (
          <Group gap={4}>
            <Code>{value}</Code>
            <CopyValue value={value} label={t('copyExternal')} />
          </Group>
        )}
        <Anchor component={Link} href={requestsHref({ reference: value, period: '30d' })} size="sm">
          {t('withReference')}
        </Anchor>
      </Group>
    </LogField>
  );
}
