'use client';

import { Anchor, Code, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from '@/app/_components/link';
import { CopyValue, Id } from '../../../_components/id';
import { Fact, Facts } from '../../../_components/tables/facts';
import { bookingHref } from '../../../bookings/_components/query';
import { formatDuration } from '../../_components/format';
import { requestHref, requestsHref } from '../../_components/query';
import type { RequestDetail } from '../../_components/types';

/** The fields of the log entry. Most fields without a value are omitted. */
export function LogEntry({ request }: { request: RequestDetail }) {
  const { application, key, replayed_from: original } = request;
  return (
    <Facts>
      <LogField name="UTC time">{request.at.replace('T', ' ').replace('Z', ' UTC')}</LogField>
      <LogField name="Method">{request.method}</LogField>
      <LogField name="Route">{request.route ?? 'unknown'}</LogField>
      {request.path !== request.route && (
        <LogField name="Path">{request.path ?? 'not stored, because an unknown path can contain secrets'}</LogField>
      )}
      <LogField name="Status">{request.status}</LogField>
      <LogField name="Code">{request.code}</LogField>
      <LogField name="Reason">{request.reason}</LogField>
      <LogField name="Invalid fields">{request.invalid_fields.join(', ')}</LogField>
      <LogField name="Duration">{formatDuration(request.duration_ms)}</LogField>
      <LogField name="Application">
        {application && (
          <Anchor component={Link} href={`/applications/${application.id}`} size="sm">
            {application.name}
          </Anchor>
        )}
      </LogField>
      <LogField name="Key">
        {key && (
          <Anchor component={Link} href={requestsHref({ key: key.id })} size="sm">
            {key.name} ({key.prefix}…{key.last_four})
          </Anchor>
        )}
      </LogField>
      <LogField name="Address">{request.address}</LogField>
      <LogField name="Origin">{request.origin}</LogField>
      <LogField name="User agent">{request.user_agent}</LogField>
      <LogField name="Idempotency key">{request.had_idempotency_key ? 'sent (stored only as a hash)' : null}</LogField>
      <LogField name="Replay of">
        {original && (
          <Anchor component={Link} href={requestHref(original)} size="sm">
            {original}
          </Anchor>
        )}
      </LogField>
      <Reference name="Booking" value={request.booking_reference} />
      <Reference name="External reference" value={request.external_reference} />
    </Facts>
  );
}

function LogField({ name, children }: { name: string; children: ReactNode }) {
  const isMissing = children === null || children === undefined || children === '';
  return isMissing ? null : <Fact name={name}>{children}</Fact>;
}

/** A reference with a copy button and a link to all requests with the same reference. */
function Reference({ name, value }: { name: string; value: string | null }) {
  if (value === null) return <LogField name={name}>{null}</LogField>;
  return (
    <LogField name={name}>
      <Group gap="xs">
        {value.startsWith('pbr_') ? (
          <>
            <Id value={value} what="booking reference" />
            <Anchor component={Link} href={bookingHref(value)} size="sm">
              View booking
            </Anchor>
          </>
        ) : (
          <Group gap={4}>
            <Code>{value}</Code>
            <CopyValue value={value} label="Copy external reference" />
          </Group>
        )}
        <Anchor component={Link} href={requestsHref({ reference: value, period: '30d' })} size="sm">
          Requests with this reference
        </Anchor>
      </Group>
    </LogField>
  );
}
