'use client';

import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import type { MouseEvent, ReactNode, Ref } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import type { DeliveryRow } from '../../../../_components/api-types';
import { Columns, DataTable } from '../../../../_components/tables/data-table';
import { Table } from '../../../../_components/tables/table';
import { clockTo, LINE_TIME } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { bookingHref } from '../../../../bookings/_components/query';
import { formatDuration } from '../../../../requests/_components/format';
import { StateBadge } from '../../../_components/state-badge';
import type { DeliveriesQuery } from './query';
import { DeliveryStateBadge } from './state';
import { answerText } from './words';

type Props = {
  rows: DeliveryRow[];
  busy: boolean;
  frame: Ref<HTMLDivElement>;
  href: (patch: Partial<DeliveriesQuery>) => string;
  go: (patch: Partial<DeliveriesQuery>) => void;
};

/** One page of deliveries. */
export function DeliveryTable({ rows, busy, frame, href, go }: Props) {
  const t = useTranslations('webhooks.deliveryTable');
  return (
    <DataTable caption={t('caption')} minWidth={1060} busy={busy} frame={frame}>
      <Table.Thead>
        <Table.Tr>
          <Columns
            labels={[
              ...[t('delivery'), t('status'), t('type'), t('booking'), t('attempts')],
              ...[t('lastAnswer'), t('nextAttempt'), t('created')],
            ]}
          />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            <Table.Td data-label={t('delivery')} data-wide="all">
              <Open row={row} href={href({ delivery: row.id })} onOpen={() => go({ delivery: row.id })} />
            </Table.Td>
            <Cells row={row} />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Open({ row, href, onOpen }: { row: DeliveryRow; href: string; onOpen: () => void }) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <Anchor href={href} onClick={open} fz={13} ff="monospace" title={row.id} style={{ whiteSpace: 'nowrap' }}>
      {/* Shows the end of the ID, because IDs created at about the same time start with the same characters. */}
      dlv_…{row.id.slice(-8)}
      <VisuallyHidden>, {row.type}</VisuallyHidden>
    </Anchor>
  );
}

function Cells({ row }: { row: DeliveryRow }) {
  const t = useTranslations('webhooks.deliveryTable');
  const { booking_reference: reference, attempts, scheduled_attempts: scheduled } = row;
  return (
    <>
      <Table.Td data-label={t('status')}>
        <DeliveryStateBadge state={row.state} />
      </Table.Td>
      <Table.Td data-label={t('type')} style={{ fontFamily: 'var(--mantine-font-family-monospace)' }}>
        {row.forged ? t('forged', { type: row.type }) : row.type}
      </Table.Td>
      <Table.Td data-label={t('booking')}>
        {reference ? (
          <Anchor component={Link} href={bookingHref(reference)} fz={13} ff="monospace" title={reference}>
            <VisuallyHidden>{t('booking')} </VisuallyHidden>pbr_…{reference.slice(-8)}
          </Anchor>
        ) : (
          <None>{t('noBooking')}</None>
        )}
      </Table.Td>
      <Table.Td data-label={t('attempts')} style={{ whiteSpace: 'nowrap' }}>
        {t('scheduled', { count: scheduled, max: row.max_attempts })}
        {attempts > scheduled && (
          <Text component="span" fz={12} c="dimmed">
            {' '}
            {t('total', { count: attempts })}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label={t('lastAnswer')}>
        <LastAnswer row={row} />
      </Table.Td>
      <Table.Td data-label={t('nextAttempt')}>
        <Next row={row} />
      </Table.Td>
      <Table.Td data-label={t('created')}>
        <Time value={row.created_at} options={LINE_TIME} />
      </Table.Td>
    </>
  );
}

/** The status of the newest attempt or, without a response, the cause of its failure, with its duration and its time. */
function LastAnswer({ row: { last_answer: last } }: { row: DeliveryRow }) {
  const t = useTranslations('webhooks.deliveryTable');
  const causes = useTranslations('webhooks.causes');
  const format = useFormats();
  if (!last) return <None>{t('noAnswer')}</None>;
  const isFailure = last.interrupted || last.error !== null;
  return (
    <>
      <StateBadge tone={isFailure ? 'bad' : 'good'}>
        {last.interrupted ? t('interrupted') : answerText(causes, last)}
      </StateBadge>
      <Text component="span" fz={12} c="dimmed" display="block" style={{ whiteSpace: 'nowrap' }}>
        {last.duration_ms !== null && `${formatDuration(last.duration_ms, format)}, `}
        <Time value={last.started_at} options={clockTo('second')} />
      </Text>
    </>
  );
}

function Next({ row }: { row: DeliveryRow }) {
  const t = useTranslations('webhooks.deliveryTable');
  if (row.under_way) return t('inProgress');
  if (row.state === 'held') return <None>{t('whenResumed')}</None>;
  if (row.manual_requested) return t('nowManual');
  return row.next_attempt_at ? <Time value={row.next_attempt_at} options={LINE_TIME} /> : <None>{t('noNext')}</None>;
}

function None({ children }: { children: ReactNode }) {
  return (
    <Text component="span" fz={13} c="dimmed" style={{ whiteSpace: 'nowrap' }}>
      {children}
    </Text>
  );
}
