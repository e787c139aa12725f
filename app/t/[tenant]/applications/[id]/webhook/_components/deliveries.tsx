'use client';

import { Alert, Anchor, Button, Group, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { type MouseEvent, type ReactNode, type Ref, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import type { DeliveryRow, Endpoint } from '../../../../_components/api-types';
import { FilterFields, TextFilter } from '../../../../_components/filters/filter-fields';
import { EmptyState, NotLoaded } from '../../../../_components/states';
import { DataTable } from '../../../../_components/tables/data-table';
import { Pager } from '../../../../_components/tables/pager';
import { Table } from '../../../../_components/tables/table';
import { useLiveRows } from '../../../../_components/tables/use-live-rows';
import { clockTo, LINE_TIME } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { useTRPC } from '../../../../_components/trpc';
import { useUrlState } from '../../../../_components/use-url-state';
import { bookingHref } from '../../../../bookings/_components/query';
import { formatDuration } from '../../../../requests/_components/format';
import { StateBadge } from '../../../_components/state-badge';
import { changeQuery, type DeliveriesQuery, FILTER, listInput, PARSERS } from './query';
import { DeliveryStateBadge } from './state';
import { answerText, EVENT_TYPES, HELD_DAYS, STATES } from './words';

const DeliveryDrawer = dynamic(() => import('./delivery-drawer').then((module) => module.DeliveryDrawer), {
  ssr: false,
});

const POLL_MS = 3_000;

/** An empty list that is the same object in every render. A new array would make effects run again after each render. */
const NO_ROWS: DeliveryRow[] = [];

const FIRST_PAGE = { cursor: null };

const idOf = ({ id }: DeliveryRow) => id;

type Props = { applicationId: string; endpoint: Endpoint; canEdit: boolean };
type Go = (patch: Partial<DeliveriesQuery>) => void;
type State = { query: DeliveriesQuery; href: (patch: Partial<DeliveriesQuery>) => string; go: Go };

/** An endpoint's deliveries. A drawer shows the selected delivery. */
export function Deliveries({ applicationId, endpoint, canEdit }: Props) {
  const t = useTranslations('webhooks.deliveries');
  const state = useUrlState(PARSERS, { change: changeQuery });
  const { query, go } = state;
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Stack component="section" gap="sm">
      <Title ref={heading} id="deliveries" order={2} size="h4" tabIndex={-1}>
        {t('title')}
      </Title>
      {endpoint.state !== 'active' && endpoint.pending > 0 && <HeldNotice count={endpoint.pending} />}
      <DeliveryFilters query={query} go={go} />
      <Results applicationId={applicationId} {...state} />
      <DeliveryDrawer
        applicationId={applicationId}
        deliveryId={query.delivery}
        active={endpoint.state === 'active'}
        canEdit={canEdit}
        fallback={heading}
        onClose={() => go({ delivery: null })}
      />
    </Stack>
  );
}

const TYPE_OPTIONS = [...EVENT_TYPES, 'webhook.test'].map((type) => ({ value: type, label: type }));

function DeliveryFilters({ query, go }: { query: DeliveriesQuery; go: Go }) {
  const t = useTranslations('webhooks.filters');
  const words = useTranslations('words.deliveryState');
  const states = STATES.map((state) => ({ value: state, label: words(state) }));
  return (
    <FilterFields
      query={query}
      go={go}
      selects={{
        state: { label: t('status'), any: t('anyStatus'), options: states },
        type: { label: t('type'), any: t('anyType'), options: TYPE_OPTIONS },
      }}
      none={FILTER.none}
      cols={{ base: 2, md: 4 }}
    >
      <TextFilter
        label={t('reference')}
        placeholder="pbr_… evt_… dlv_…"
        maxLength={64}
        value={query.reference}
        onChange={(reference) => go({ reference })}
      />
    </FilterFields>
  );
}

function HeldNotice({ count }: { count: number }) {
  const t = useTranslations('webhooks.deliveries');
  return (
    <Alert color="yellow" icon={<IconArchive aria-hidden />}>
      {t('held', { count, days: HELD_DAYS })}
    </Alert>
  );
}

function Results({ applicationId, query, href, go }: State & { applicationId: string }) {
  const t = useTranslations('webhooks.deliveries');
  const trpc = useTRPC();
  const frame = useRef<HTMLDivElement>(null);
  const input = listInput(applicationId, query);
  const list = useQuery({
    ...trpc.webhooks.deliveries.queryOptions(input, { placeholderData: keepPreviousData }),
    refetchInterval: POLL_MS,
  });
  // While a page loads, `list.data` still contains the rows of the previous page, and `isPlaceholderData` is true. The
  // string contains `isPlaceholderData`, so that `useLiveRows` shows the new rows as soon as they arrive.
  const of = JSON.stringify([input, list.isPlaceholderData]);
  const live = useLiveRows(list.data?.deliveries ?? NO_ROWS, { of, live: true, idOf });
  if (!list.data) return <NotLoaded query={list} rows={6} height={44} />;
  if (live.rows.length === 0) return <NoDeliveries query={query} go={go} />;
  const turnPage = (patch: Partial<DeliveriesQuery>) => {
    go(patch);
    frame.current?.focus();
  };
  return (
    <div>
      <Group justify="space-between" mih={30} role="status">
        <Hint size="xs">{list.isRefetchError ? t('retrying') : t('newestFirst')}</Hint>
        {live.waiting > 0 && (
          <Button size="compact-sm" variant="default" onClick={live.show}>
            {t('showNewer', { count: live.waiting })}
          </Button>
        )}
      </Group>
      <div {...live.areaProps}>
        <DeliveryTable rows={live.rows} busy={list.isPlaceholderData} frame={frame} href={href} go={go} />
      </div>
      <Pager
        previous={query.cursor === null ? null : FIRST_PAGE}
        next={list.data.next === null ? null : { cursor: list.data.next }}
        labels={[t('newest'), t('older')]}
        href={href}
        go={turnPage}
      />
    </div>
  );
}

function NoDeliveries({ query, go }: { query: DeliveriesQuery; go: Go }) {
  const t = useTranslations('webhooks.deliveries');
  if (FILTER.isSet(query) || query.cursor !== null) {
    return (
      <EmptyState
        title={t('noMatch')}
        action={
          <Button variant="default" mt="xs" onClick={() => go(FILTER.none)}>
            {t('clear')}
          </Button>
        }
      >
        {t('noMatchText')}
      </EmptyState>
    );
  }
  return <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>;
}

type DeliveryTableProps = {
  rows: DeliveryRow[];
  busy: boolean;
  frame: Ref<HTMLDivElement>;
  href: (patch: Partial<DeliveriesQuery>) => string;
  go: (patch: Partial<DeliveriesQuery>) => void;
};

/** One page of deliveries. */
export function DeliveryTable({ rows, busy, frame, href, go }: DeliveryTableProps) {
  const t = useTranslations('webhooks.deliveryTable');
  return (
    <DataTable
      caption={t('caption')}
      minWidth={1060}
      busy={busy}
      frame={frame}
      columns={[
        ...[t('delivery'), t('status'), t('type'), t('booking'), t('attempts')],
        ...[t('lastAnswer'), t('nextAttempt'), t('created')],
      ]}
    >
      {rows.map((row) => (
        <Table.Tr key={row.id}>
          <Table.Td data-label={t('delivery')} data-wide="all">
            <Open row={row} href={href({ delivery: row.id })} onOpen={() => go({ delivery: row.id })} />
          </Table.Td>
          <Cells row={row} />
        </Table.Tr>
      ))}
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
          <TextLink href={bookingHref(reference)} fz={13} ff="monospace" title={reference}>
            <VisuallyHidden>{t('booking')} </VisuallyHidden>pbr_…{reference.slice(-8)}
          </TextLink>
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
