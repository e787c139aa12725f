'use client';

import { Button, Group, Paper, Stack, Switch, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type HTMLAttributes, type Ref, useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { type Translator, useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import { useTenantHref } from '@/app/_components/tenant';
import type { Formats } from '@/lib/platform/text/formats';
import { FindForm } from '../../_components/search/find-form';
import { readPasted } from '../../_components/search/pasted';
import { ViewsMenu } from '../../_components/search/saved-views/views-menu';
import { ErrorState, NotLoaded } from '../../_components/states';
import { Column, Columns, DataTable, SortColumn } from '../../_components/tables/data-table';
import { ExportButton } from '../../_components/tables/export-button';
import { NoRecords } from '../../_components/tables/no-records';
import { KeysetPager } from '../../_components/tables/pager';
import { Table } from '../../_components/tables/table';
import { useLiveRows } from '../../_components/tables/use-live-rows';
import { Ago } from '../../_components/time/ago';
import { LINE_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { useUrlState } from '../../_components/use-url-state';
import { barsOf, totalsOf } from './chart-bars';
import { FilterBar } from './filter-bar';
import { formatDuration, shortRoute } from './format';
import {
  changeQuery,
  FILTER,
  filterInput,
  listInput,
  normalizeQuery,
  PARSERS,
  type RequestsQuery,
  requestHref,
  requestsHref,
} from './query';
import styles from './requests.module.css';
import { StatusCode } from './status-code';
import { TrafficChart } from './traffic-chart';
import type { Histogram, RequestRow } from './types';

const RULES = { change: changeQuery, normalize: normalizeQuery };

/** In live mode, the list and the histogram are reloaded at these intervals, in milliseconds. */
const LIST_INTERVAL = 3_000;
const CHART_INTERVAL = 10_000;

// An empty list that is the same object in every render. A new array would make effects run again after each render.
const NO_ROWS: RequestRow[] = [];

const idOf = (row: RequestRow) => row.request_id;

function useRequestsData(query: RequestsQuery) {
  const trpc = useTRPC();
  const filter = useMemo(() => filterInput(query), [query]);
  const listOptions = trpc.requests.list.queryOptions(listInput(query));
  const list = useQuery({
    ...listOptions,
    placeholderData: keepPreviousData,
    refetchInterval: query.live ? LIST_INTERVAL : false,
  });
  const histogram = useQuery({
    ...trpc.requests.histogram.queryOptions(filter),
    placeholderData: keepPreviousData,
    refetchInterval: query.live ? CHART_INTERVAL : false,
  });
  const choices = useQuery({ ...trpc.requests.choices.queryOptions(), staleTime: 60_000 });
  return { list, histogram, choices, of: JSON.stringify(listOptions.queryKey) };
}

export function RequestsView() {
  const address = useUrlState(PARSERS, RULES);
  const { query, href, go } = address;
  const { list, histogram, choices, of } = useRequestsData(query);
  const zoom = { period: 'custom' as const };
  // Omits the filters and the chart, which are useless to a member without access.
  if (list.error?.data?.code === 'forbidden')
    return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  return (
    <Stack gap="md">
      <SearchBox query={query} go={go} />
      <FilterBar
        query={query}
        choices={choices.data}
        go={go}
        exporter={<ExportButton list="requests" input={{ ...filterInput(query), order: query.order }} />}
        actions={
          <ViewsMenu page="requests" href={requestsHref({ ...query, cursor: null, back: false, live: false })} />
        }
      />
      <Paper withBorder p="md" bg="var(--app-surface)">
        {histogram.isError && !histogram.data ? (
          <ErrorState error={histogram.error} retry={() => void histogram.refetch()} />
        ) : (
          <TrafficChart
            histogram={histogram.data}
            hrefFor={(from, to) => href({ ...zoom, from, to })}
            onZoom={(from, to) => go({ ...zoom, from, to })}
          />
        )}
      </Paper>
      <RequestList address={address} list={list} of={of} histogram={histogram.data} />
    </Stack>
  );
}

type Data = ReturnType<typeof useRequestsData>;

type ListProps = {
  address: ReturnType<typeof useUrlState<typeof PARSERS>>;
  histogram: Histogram | undefined;
} & Pick<Data, 'list' | 'of'>;

function RequestList({ address: { query, href, go }, list, of, histogram }: ListProps) {
  const t = useTranslations('requests.list');
  const format = useFormats();
  const frame = useRef<HTMLDivElement>(null);
  const live = useLiveRows(list.data?.rows ?? NO_ROWS, { of, live: query.live, idOf });
  const toggleLive = (on: boolean) =>
    go({ live: on, order: 'newest', ...(query.period === 'custom' ? { period: '1h' as const } : {}) });
  const showWaiting = () => {
    live.show();
    frame.current?.focus();
  };
  const summary = list.isRefetchError ? t('notUpdated') : summaryOf(t, format, live.rows.length, histogram);
  const labels: [string, string] = query.order === 'newest' ? [t('newer'), t('older')] : [t('older'), t('newer')];
  return (
    <div>
      <Toolbar summary={summary} live={query.live} onLive={toggleLive} waiting={live.waiting} onShow={showWaiting} />
      {!list.data ? (
        <NotLoaded query={list} rows={12} height={46} toFirst={() => go({ cursor: null, back: false })} />
      ) : list.data.rows.length === 0 && list.data.searched_to === null ? (
        <NoRequests query={query} go={go} />
      ) : (
        <>
          <SearchedTo at={list.data.searched_to} further={labels[1]} />
          <RequestsTable
            rows={live.rows}
            order={query.order}
            onOrder={() => go({ order: query.order === 'newest' ? 'oldest' : 'newest' })}
            stale={list.isPlaceholderData}
            frame={frame}
            areaProps={live.areaProps}
          />
          <KeysetPager previous={list.data.previous} next={list.data.next} labels={labels} href={href} go={go} />
        </>
      )}
    </div>
  );
}

/** `at` is how far a search that took too long has come, or null. `further` is the label of the button that continues it. */
function SearchedTo({ at, further }: { at: string | null; further: string }) {
  const t = useTranslations('requests.list');
  if (at === null) return null;
  return (
    <Hint role="status" py="xs">
      {t.rich('searchedTo', { further, time: () => <Time value={at} options={LINE_TIME} /> })}
    </Hint>
  );
}

function summaryOf(
  t: Translator<'requests.list'>,
  format: Formats,
  shown: number,
  histogram: Histogram | undefined,
): string | null {
  const bars = histogram && barsOf(histogram);
  if (!bars || shown === 0) return null;
  const { total, estimated } = totalsOf(bars);
  // The list and the histogram are loaded separately, so the list can contain more requests than the histogram counts.
  const counts = { shown: format.count(shown), total: format.count(Math.max(shown, total)) };
  return t('summary', { ...counts, estimated: String(estimated) });
}

type Props = { query: RequestsQuery; go: (patch: Partial<RequestsQuery>) => void };

function NoRequests({ query, go }: Props) {
  const t = useTranslations('requests.list');
  const showAll = { label: t('widen'), onClick: () => go({ period: '30d' }) };
  return (
    <NoRecords
      noun="request"
      hasReference={query.reference !== null}
      hasFilters={FILTER.isSet(query)}
      onClear={() => go(FILTER.none)}
      widen={query.period === '30d' ? null : showAll}
      referenceHint={t('referenceHint')}
      emptyHint={t('emptyHint')}
    />
  );
}

type ToolbarProps = {
  summary: string | null;
  live: boolean;
  onLive: (live: boolean) => void;
  waiting: number;
  onShow: () => void;
};

/** New requests are counted only up to this number. `50+` means that there may be more than 50. */
const PAGE = 50;

function Toolbar({ summary, live, onLive, waiting, onShow }: ToolbarProps) {
  const t = useTranslations('requests.list');
  const news = { count: waiting, more: String(waiting >= PAGE) };
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap" mb="xs" className={styles.toolbar}>
      <Hint miw={0} truncate>
        {summary}
      </Hint>
      <Group gap="sm" wrap="nowrap">
        {waiting > 0 && (
          <Button size="xs" onClick={onShow}>
            {t('showNews', news)}
          </Button>
        )}
        <VisuallyHidden role="status">{waiting > 0 ? t('news', news) : ''}</VisuallyHidden>
        <Switch
          label={t('live')}
          checked={live}
          onChange={(event) => onLive(event.currentTarget.checked)}
          labelPosition="left"
        />
      </Group>
    </Group>
  );
}

type SearchBoxProps = { query: RequestsQuery; go: (patch: Partial<RequestsQuery>) => void };

function SearchBox({ query, go }: SearchBoxProps) {
  const t = useTranslations('requests.search');
  const refusalText = useTranslations('common.search');
  const router = useRouter();
  const hrefOf = useTenantHref();
  const find = (text: string) => {
    const pasted = readPasted(text);
    if (pasted.kind === 'request') router.push(hrefOf(requestHref(pasted.id)));
    // A search by reference covers all stored requests, which are at most 30 days old.
    if (pasted.kind === 'reference') go({ reference: pasted.reference, period: '30d' });
    if (pasted.kind === 'nothing' && query.reference !== null) go({ reference: null });
    return pasted.kind === 'refused' ? refusalText(pasted.refusal) : null;
  };
  return (
    <FindForm
      label={t('label')}
      value={query.reference ?? ''}
      find={find}
      findsPasted={(text) => readPasted(text).kind === 'request'}
    />
  );
}

type RequestsTableProps = {
  rows: RequestRow[];
  order: 'newest' | 'oldest';
  onOrder: () => void;
  stale: boolean;
  frame: Ref<HTMLDivElement>;
  areaProps: HTMLAttributes<HTMLDivElement>;
};

const COLUMNS = ['status', 'method', 'route', 'code', 'application', 'key'] as const;
const WIDTHS = [140, 70, 68, 'auto', 186, 170, 200, 86] as const;

/** One page of requests. The columns have fixed widths so that new rows do not change the layout. */
function RequestsTable({ rows, order, onOrder, stale, frame, areaProps }: RequestsTableProps) {
  const t = useTranslations('requests');
  return (
    <DataTable
      caption={t('list.caption', { order })}
      label={t('list.label')}
      minWidth={980}
      busy={stale}
      frame={frame}
      frameProps={areaProps}
      className={styles.requests}
    >
      <colgroup>
        {WIDTHS.map((width, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change.
          <col key={column} style={{ width }} />
        ))}
      </colgroup>
      <Table.Thead>
        <Table.Tr>
          <SortColumn label={t('table.time')} direction={order === 'newest' ? 'desc' : 'asc'} onSort={onOrder} />
          <Columns labels={COLUMNS.map((name) => t(`table.${name}`))} />
          <Column label={t('table.duration')} numeric />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Row key={row.request_id} row={row} />
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Row({ row }: { row: RequestRow }) {
  const t = useTranslations('requests.table');
  const format = useFormats();
  const { request_id: id, route, code, reason, application, key } = row;
  return (
    <Table.Tr>
      <Table.Td data-label={t('time')} className={styles.time}>
        <TextLink href={requestHref(id)} fz={13} className={styles.open}>
          <Ago value={row.at} options={LINE_TIME} />
          <VisuallyHidden>
            , {row.method} {route && shortRoute(route)}, {row.status}
          </VisuallyHidden>
        </TextLink>
      </Table.Td>
      <Table.Td data-label={t('status')}>
        <StatusCode status={row.status} />
      </Table.Td>
      <Table.Td data-label={t('method')} className={styles.mono}>
        {row.method}
      </Table.Td>
      <Table.Td data-label={t('route')} className={styles.mono} title={route ?? undefined}>
        {route ? shortRoute(route) : <Missing>{t('unknownRoute')}</Missing>}
      </Table.Td>
      <Table.Td data-label={t('code')} className={code ? `${styles.code} ${styles.mono}` : styles.none}>
        {code ?? <Missing>–</Missing>}
        {reason && <div className={styles.dimmed}>{reason}</div>}
      </Table.Td>
      <Table.Td data-label={t('application')} className={styles.application} title={application?.name}>
        {application?.name ?? <Missing>–</Missing>}
      </Table.Td>
      <Table.Td data-label={t('key')} className={styles.none} title={key?.name}>
        {key ? (
          <span className={styles.key}>
            <span className={styles.keyName}>{key.name}</span>
            <span className={styles.dimmed}>…{key.last_four}</span>
          </span>
        ) : (
          <Missing>–</Missing>
        )}
      </Table.Td>
      <Table.Td data-label={t('duration')} data-numeric>
        {formatDuration(row.duration_ms, format)}
      </Table.Td>
    </Table.Tr>
  );
}

function Missing({ children }: { children: string }) {
  return <span className={styles.dimmed}>{children}</span>;
}
