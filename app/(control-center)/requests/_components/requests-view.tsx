'use client';

import { Paper, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { ErrorState } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { barsOf, sentenceOf, totalsOf } from './chart-bars';
import { FilterBar } from './filter-bar';
import { NoRequests } from './no-requests';
import { Pager } from './pager';
import { PeriodPicker } from './period-picker';
import { filterInput, type RequestsQuery } from './query';
import { RequestsTable } from './requests-table';
import { SearchBox } from './search-box';
import { Toolbar } from './toolbar';
import { TrafficChart } from './traffic-chart';
import type { Histogram } from './types';
import { useLiveRows } from './use-live-rows';
import { useRequestsQuery } from './use-requests-query';

/** Milliseconds between two looks in live mode: at the list, and at the chart. */
const LOOK_EVERY = 3_000;
const DRAW_EVERY = 10_000;

/** Rows of a page, as the server sends them. */
const PAGE = 50;

function useRequestsData(query: RequestsQuery) {
  const trpc = useTRPC();
  const filter = useMemo(() => filterInput(query), [query]);
  const page = { order: query.order, cursor: query.cursor, back: query.back };
  const listOptions = trpc.requests.list.queryOptions({ ...filter, ...page });
  const list = useQuery({
    ...listOptions,
    placeholderData: keepPreviousData,
    refetchInterval: query.live ? LOOK_EVERY : false,
  });
  const histogram = useQuery({
    ...trpc.requests.histogram.queryOptions(filter),
    placeholderData: keepPreviousData,
    refetchInterval: query.live ? DRAW_EVERY : false,
  });
  const choices = useQuery({ ...trpc.requests.choices.queryOptions(), staleTime: 60_000 });
  return { list, histogram, choices, of: JSON.stringify(listOptions.queryKey) };
}

/** The Requests page below its title. */
export function RequestsView() {
  const { query, href, go } = useRequestsQuery();
  const { list, histogram, choices, of } = useRequestsData(query);
  const frame = useRef<HTMLDivElement>(null);
  // Live mode stops where its rows would not be the newest.
  const live = useLiveRows(list.data?.rows ?? [], of, query.live);
  const goInTable = (patch: Partial<RequestsQuery>) => {
    go(patch);
    frame.current?.focus();
  };
  const zoom = { period: 'custom' as const };
  return (
    <Stack gap="md">
      <SearchBox query={query} go={go} />
      <PeriodPicker query={query} go={go} />
      <FilterBar query={query} choices={choices.data} go={go} />
      <Paper withBorder p="md" bg="var(--app-surface)">
        {histogram.isError ? (
          <ErrorState error={histogram.error} retry={() => void histogram.refetch()} />
        ) : (
          <TrafficChart
            histogram={histogram.data}
            hrefFor={(from, to) => href({ ...zoom, from, to })}
            onZoom={(from, to) => go({ ...zoom, from, to })}
          />
        )}
      </Paper>
      <Toolbar
        summary={list.isRefetchError ? 'The last look did not work. Trying again …' : summaryOf(histogram.data)}
        live={query.live}
        onLive={(on) => go({ live: on, order: 'newest', ...(query.period === 'custom' ? { period: '1h' } : {}) })}
        waiting={live.waiting}
        more={live.waiting >= PAGE}
        onShow={() => {
          live.show();
          frame.current?.focus();
        }}
      />
      {list.isError && !list.data ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} />
      ) : list.data?.rows.length === 0 ? (
        <NoRequests query={query} go={go} />
      ) : (
        <div>
          <RequestsTable
            rows={list.data ? live.rows : undefined}
            order={query.order}
            onOrder={() => go({ order: query.order === 'newest' ? 'oldest' : 'newest' })}
            stale={list.isPlaceholderData}
            frame={frame}
            areaProps={live.areaProps}
          />
          <Pager
            order={query.order}
            previous={list.data?.previous ?? null}
            next={list.data?.next ?? null}
            href={href}
            onGo={goInTable}
          />
        </div>
      )}
    </Stack>
  );
}

function summaryOf(histogram: Histogram | undefined): string | null {
  const bars = histogram && barsOf(histogram);
  return bars ? sentenceOf(totalsOf(bars)) : null;
}
