'use client';

import { Anchor, Code, Group } from '@mantine/core';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { CopyValue, Id } from '../../../_components/id';
import { bookingHref } from '../../../bookings/_components/query';
import { formatDuration } from '../../_components/format';
import { hrefOf, requestHref } from '../../_components/query';
import styles from '../../_components/requests.module.css';
import type { RequestDetail } from '../../_components/types';

/** Every field of the log line, in the words of the contract. */
export function Facts({ request }: { request: RequestDetail }) {
  const { application, key, replayed_from: original } = request;
  return (
    <dl className={styles.facts}>
      <Fact name="UTC time">{request.at.replace('T', ' ').replace('Z', ' UTC')}</Fact>
      <Fact name="Method">{request.method}</Fact>
      <Fact name="Route">{request.route ?? 'unknown'}</Fact>
      {request.path !== request.route && <Fact name="Path">{request.path ?? 'not shown: it may hold anything'}</Fact>}
      <Fact name="Status">{request.status}</Fact>
      <Fact name="Code">{request.code}</Fact>
      <Fact name="Reason">{request.reason}</Fact>
      <Fact name="Invalid fields">{request.invalid_fields.join(', ')}</Fact>
      <Fact name="Duration">{formatDuration(request.duration_ms)}</Fact>
      <Fact name="Application">
        {application && (
          <Anchor component={Link} href={`/applications/${application.id}`} size="sm">
            {application.name}
          </Anchor>
        )}
      </Fact>
      <Fact name="Key">
        {key && (
          <Anchor component={Link} href={hrefOf({ key: key.id })} size="sm">
            {key.name} ({key.prefix}…{key.last_four})
          </Anchor>
        )}
      </Fact>
      <Fact name="Address">{request.address}</Fact>
      <Fact name="Origin">{request.origin}</Fact>
      <Fact name="User agent">{request.user_agent}</Fact>
      <Fact name="Idempotency key">{request.had_idempotency_key ? 'sent; only a keyed hash is kept' : null}</Fact>
      <Fact name="Replay of">
        {original && (
          <Anchor component={Link} href={requestHref(original)} size="sm">
            {original}
          </Anchor>
        )}
      </Fact>
      <Reference name="Booking" value={request.booking_reference} />
      <Reference name="External reference" value={request.external_reference} />
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  const isMissing = children === null || children === undefined || children === '';
  return (
    <>
      <dt>{name}</dt>
      <dd>{isMissing ? <span className={styles.dimmed}>none</span> : children}</dd>
    </>
  );
}

/** A reference to copy, and what else was asked about it. */
function Reference({ name, value }: { name: string; value: string | null }) {
  if (value === null) return <Fact name={name}>{null}</Fact>;
  return (
    <Fact name={name}>
      <Group gap="xs">
        {value.startsWith('pbr_') ? (
          <>
            <Id value={value} what="booking reference" />
            <Anchor component={Link} href={bookingHref(value)} size="sm" prefetch={false}>
              The booking
            </Anchor>
          </>
        ) : (
          <Group gap={4}>
            <Code>{value}</Code>
            <CopyValue value={value} label="Copy external reference" />
          </Group>
        )}
        <Anchor component={Link} href={hrefOf({ reference: value, period: '30d' })} size="sm">
          All its requests
        </Anchor>
      </Group>
    </Fact>
  );
}
