'use client';

import { Anchor, Box, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
import { ViewsMenu } from '../../_components/search/saved-views/views-menu';
import { PageHeader } from '../../_components/shell/page-header';
import { ErrorState, LoadingRows } from '../../_components/states';
import { ExportButton } from '../../_components/tables/export-button';
import { NoRecords } from '../../_components/tables/no-records';
import { keysetPages, Pager } from '../../_components/tables/pager';
import { useTRPC } from '../../_components/trpc';
import { useUrlState } from '../../_components/use-url-state';
import { BookingSearch } from './booking-search';
import { BookingsTable } from './bookings-table';
import { CallerResults } from './caller-results';
import { CompleteVisits } from './complete-visits';
import { useNamesShown, ViewedNames } from './customer-names';
import { FilterBar } from './filter-bar';
import { EXAMPLE_NUMBERS, isPartOfPhone } from './phone';
import {
  type BookingsQuery,
  bookingsHref,
  changeQuery,
  dayHref,
  FILTER,
  filterInput,
  hidesCancelled,
  listInput,
  newBookingHref,
  PARSERS,
  weekHref,
} from './query';
import { useCaller } from './use-caller';
import { useRememberLocation } from './use-remember-location';
import { ViewSwitch } from './view-switch';

const RULES = { change: changeQuery };

/** `exports`: whether the member may export the list. */
type ViewProps = { findsByPhone: boolean; exports: boolean };

/** Lists the business's bookings. */
export function BookingsView({ findsByPhone, exports }: ViewProps) {
  const t = useTranslations('bookings.list');
  const { query, href, go: change } = useUrlState(PARSERS, RULES);
  const remember = useRememberLocation();
  const go = (patch: Partial<BookingsQuery>) => {
    remember(patch.location);
    change(patch);
  };
  const { caller, found, find, reload, clear } = useCaller();
  const findReference = (reference: string | null) => {
    clear();
    // A search by reference covers all periods.
    go(reference === null ? { reference } : { reference, period: 'all' });
  };
  const findsByName = useNamesShown(findsByPhone);
  const { national, name } = caller.variables ?? {};
  const text = national ?? name;
  const isCaller = found !== undefined || caller.isError;
  const from = { location: query.location, date: query.from };
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={<Box visibleFrom="sm">{t('lead')}</Box>}
        actions={
          <ViewSwitch
            newHref={findsByPhone ? newBookingHref(from) : null}
            shown="list"
            listHref={bookingsHref(query)}
            dayHref={dayHref(from)}
            weekHref={weekHref(from)}
          />
        }
      />
      <Stack gap="md">
        <BookingSearch
          query={query}
          searched={caller.variables}
          findCustomer={findsByPhone ? { busy: caller.isPending, byName: findsByName, find } : null}
          findReference={findReference}
        />
        {isCaller ? (
          <CallerResults
            found={found}
            error={caller.error}
            onRetry={() => caller.variables && caller.mutate(caller.variables)}
            onReload={reload}
            onClear={clear}
            byName={name !== undefined}
            onReference={text === undefined ? null : () => findReference(text)}
          />
        ) : (
          <Filtered query={query} href={href} go={go} findsByPhone={findsByPhone} exports={exports} />
        )}
      </Stack>
    </>
  );
}

function Filtered({ query, href, go, findsByPhone, exports }: ResultsProps & ViewProps) {
  const trpc = useTRPC();
  const choices = useQuery({ ...trpc.bookings.choices.queryOptions(), staleTime: 60_000 });
  return (
    <>
      <FilterBar
        query={query}
        choices={choices.data}
        go={go}
        exporter={exports && <ExportButton list="bookings" input={filterInput(query)} />}
        actions={
          <>
            {findsByPhone && <CompleteVisits locationId={query.location} />}
            <ViewsMenu page="bookings" href={bookingsHref({ ...query, cursor: null, back: false })} />
          </>
        }
      />
      <Results query={query} href={href} go={go} findsByPhone={findsByPhone} />
    </>
  );
}

function CancelledHidden({ href }: { href: string }) {
  const t = useTranslations('bookings.list');
  return (
    <Text size="sm" c="dimmed" mt="sm">
      {t.rich('cancelledHidden', {
        link: (text) => (
          <Anchor component={Link} href={href} size="sm" underline="always">
            {text}
          </Anchor>
        ),
      })}
    </Text>
  );
}

type ResultsProps = {
  query: BookingsQuery;
  href: (patch: Partial<BookingsQuery>) => string;
  go: (patch: Partial<BookingsQuery>) => void;
  findsByPhone: boolean;
};

function Results({ query, href, go, findsByPhone }: ResultsProps) {
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
  const turnPage = (patch: Partial<BookingsQuery>) => {
    go(patch);
    frame.current?.focus();
  };
  return (
    <div>
      {bookings.length === 0 ? (
        <NoBookings query={query} go={go} findsByPhone={findsByPhone} />
      ) : (
        <ViewedNames view="list" references={bookings.map(({ reference }) => reference)} isAllowed={findsByPhone}>
          <BookingsTable bookings={bookings} order={{ query, go }} busy={list.isPlaceholderData} frame={frame} />
        </ViewedNames>
      )}
      <Pager {...keysetPages({ previous, next })} href={href} go={turnPage} />
      {hidesCancelled(query) && <CancelledHidden href={href({ status: 'any' })} />}
    </div>
  );
}

type Props = {
  query: BookingsQuery;
  go: (patch: Partial<BookingsQuery>) => void;
  /** Whether the member may search by phone number. */
  findsByPhone: boolean;
};

/** Explains an empty list of bookings. */
function NoBookings({ query, go, findsByPhone }: Props) {
  const t = useTranslations('bookings');
  const showAll = { label: t('list.showAllPeriods'), onClick: () => go({ period: 'all', direction: null }) };
  return (
    <NoRecords
      noun="booking"
      hasReference={query.reference !== null}
      hasFilters={FILTER.isSet(query)}
      onClear={() => go(FILTER.none)}
      widen={query.period === 'all' ? null : showAll}
      referenceHint={
        findsByPhone && isPartOfPhone(query.reference ?? '')
          ? t('search.phoneHint', EXAMPLE_NUMBERS)
          : t('list.referenceHint')
      }
      emptyHint={t('list.emptyHint')}
    />
  );
}
