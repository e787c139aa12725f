'use client';

import { Button, Group, Paper, Stack, Switch, Text, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { formatCount } from '../../_components/format';
import { ViewsMenu } from '../../_components/search/saved-views/views-menu';
import { ErrorState, LoadingRows } from '../../_components/states';
import { ExportButton } from '../../_components/tables/export-button';
import { NoRecords } from '../../_components/tables/no-records';
import { keysetPages, Pager } from '../../_components/tables/pager';
import { useLiveRows } from '../../_components/tables/use-live-rows';
import { LINE_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { useUrlState } from '../../_components/use-url-state';
import { barsOf, totalsOf } from './chart-bars';
import { FilterBar } from './filter-bar';
import {
  changeQuery,
  FILTER,
  filterInput,
  listInput,
  normalizeQuery,
  PARSERS,
  type RequestsQuery,
  requestsHref,
} from './query';
import styles from './requests.module.css';
import { RequestsTable } from './requests-table';
import { SearchBox } from './search-box';
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
  const frame = useRef<HTMLDivElement>(null);
  const live = useLiveRows(list.data?.rows ?? NO_ROWS, { of, live: query.live, idOf });
  const focusTable = () => frame.current?.focus();
  const toggleLive = (on: boolean) =>
    go({ live: on, order: 'newest', ...(query.period === 'custom' ? { period: '1h' as const } : {}) });
  const showWaiting = () => {
    live.show();
    focusTable();
  };
  const turnPage = (patch: Partial<RequestsQuery>) => {
    go(patch);
    focusTable();
  };
  const summary = list.isRefetchError
    ? 'This list could not be updated. Retrying…'
    : summaryOf(live.rows.length, histogram);
  const labels: [string, string] = query.order === 'newest' ? ['Newer', 'Older'] : ['Older', 'Newer'];
  return (
    <div>
      <Toolbar summary={summary} live={query.live} onLive={toggleLive} waiting={live.waiting} onShow={showWaiting} />
      {list.isError && !list.data ? (
        <ErrorState
          error={list.error}
          retry={() => void list.refetch()}
          toFirst={() => go({ cursor: null, back: false })}
        />
      ) : !list.data ? (
        <LoadingRows rows={12} height={46} />
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
          <Pager {...keysetPages(list.data)} labels={labels} href={href} go={turnPage} />
        </>
      )}
    </div>
  );
}

/**
 * Tells the user that the server stopped a search because it took too long. `at` is the timestamp that the search had
 * reached in the request log, or null if the search was not stopped. `further` is the label of the button that
 * continues the search.
 */
function SearchedTo({ at, further }: { at: string | null; further: string }) {
  if (at === null) return null;
  return (
    <Text size="sm" c="dimmed" role="status" py="xs">
      The search with these filters took too long. It covers only the requests since{' '}
      <Time value={at} options={LINE_TIME} />. To continue the search, select {further}.
    </Text>
  );
}

function summaryOf(shown: number, histogram: Histogram | undefined): string | null {
  const bars = histogram && barsOf(histogram);
  if (!bars || shown === 0) return null;
  const { total, estimated } = totalsOf(bars);
  // The list and the histogram are loaded separately, so the list can contain more requests than the histogram counts.
  return `${formatCount(shown)} of ${estimated ? 'about ' : ''}${formatCount(Math.max(shown, total))}`;
}

type Props = { query: RequestsQuery; go: (patch: Partial<RequestsQuery>) => void };

/** Explains an empty list of requests. */
function NoRequests({ query, go }: Props) {
  const showAll = { label: 'Show last 30 days', onClick: () => go({ period: '30d' }) };
  return (
    <NoRecords
      noun="request"
      hasReference={query.reference !== null}
      hasFilters={FILTER.isSet(query)}
      onClear={() => go(FILTER.none)}
      widen={query.period === '30d' ? null : showAll}
      referenceHint="Enter references in full. Requests that were refused because of invalid fields may have no reference. Requests are kept for at most 30 days."
      emptyHint="Requests to the partner API appear here within a second, including refused ones."
    />
  );
}

type ToolbarProps = {
  summary: string | null;
  live: boolean;
  onLive: (live: boolean) => void;
  /** Number of new requests that are not shown yet. */
  waiting: number;
  onShow: () => void;
};

/**
 * Number of rows on a page. New requests are counted only up to this number. `50+` means that there may be more than
 * 50.
 */
const PAGE = 50;

/** The number of rows, the switch for live mode, and the button that shows new requests. */
function Toolbar({ summary, live, onLive, waiting, onShow }: ToolbarProps) {
  const news = `${waiting}${waiting < PAGE ? '' : '+'} new ${waiting === 1 ? 'request' : 'requests'}`;
  return (
    <Group justify="space-between" gap="sm" wrap="nowrap" mb="xs" className={styles.toolbar}>
      <Text size="sm" c="dimmed" miw={0} truncate>
        {summary}
      </Text>
      <Group gap="sm" wrap="nowrap">
        {waiting > 0 && (
          <Button size="xs" onClick={onShow}>
            Show {news}
          </Button>
        )}
        <VisuallyHidden role="status">{waiting > 0 ? news : ''}</VisuallyHidden>
        <Switch
          label="Live"
          checked={live}
          onChange={(event) => onLive(event.currentTarget.checked)}
          labelPosition="left"
        />
      </Group>
    </Group>
  );
}
