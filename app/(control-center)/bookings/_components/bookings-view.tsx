'use client';

import { Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { KeysetPager } from '../../_components/keyset-pager';
import { PageHeader } from '../../_components/page-header';
import { ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { useAddress } from '../../_components/use-address';
import { BookingsTable } from './bookings-table';
import { FilterBar } from './filter-bar';
import { NoBookings } from './no-bookings';
import { PeriodPicker } from './period-picker';
import { type BookingsQuery, changeQuery, dayHref, hrefOf, listInput, readQuery } from './query';
import { ReferenceSearch } from './reference-search';
import { ViewSwitch } from './view-switch';

const ADDRESS = { read: readQuery, hrefOf };

/** The bookings of the tenant: find one, look through many. */
export function BookingsView() {
  const trpc = useTRPC();
  const address = useAddress(ADDRESS, changeQuery);
  const { query, go } = address;
  const choices = useQuery({ ...trpc.bookings.choices.queryOptions(), staleTime: 60_000 });
  const day = dayHref({ location: query.location, date: query.from });
  return (
    <>
      <PageHeader
        title="Bookings"
        lead="Everything that your partners booked, at the times of the location."
        actions={<ViewSwitch shown="list" listHref={hrefOf(query)} dayHref={day} />}
      />
      <Stack gap="md">
        <ReferenceSearch query={query} go={go} />
        <PeriodPicker query={query} go={go} />
        <FilterBar query={query} choices={choices.data} go={go} />
        <Results {...address} />
      </Stack>
    </>
  );
}

type ResultsProps = {
  query: BookingsQuery;
  href: (patch: Partial<BookingsQuery>) => string;
  go: (patch: Partial<BookingsQuery>) => void;
};

function Results({ query, href, go }: ResultsProps) {
  const trpc = useTRPC();
  const frame = useRef<HTMLDivElement>(null);
  const list = useQuery(trpc.bookings.list.queryOptions(listInput(query), { placeholderData: keepPreviousData }));
  if (list.isError)
    return (
      <ErrorState
        error={list.error}
        retry={() => void list.refetch()}
        toFirst={() => go({ cursor: null, back: false })}
      />
    );
  if (!list.data) return <LoadingRows rows={8} height={52} />;
  const { bookings, previous, next } = list.data;
  if (bookings.length === 0) return <NoBookings query={query} go={go} />;
  const turn = (patch: Partial<BookingsQuery>) => {
    go(patch);
    frame.current?.focus();
  };
  return (
    <div>
      <BookingsTable bookings={bookings} query={query} busy={list.isPlaceholderData} frame={frame} go={go} />
      <KeysetPager previous={previous} next={next} href={href} onGo={turn} />
    </div>
  );
}
