'use client';

import { Box, Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChecks } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { TextLink } from '@/app/_components/link';
import { BOOKING_FIELDS } from '@/lib/control-center/filters/fields';
import { FilterFields, optionsOf } from '../../../_components/filters/filter-fields';
import { FindForm } from '../../../_components/search/find-form';
import { readPasted } from '../../../_components/search/pasted';
import { ViewsMenu } from '../../../_components/search/saved-views/views-menu';
import { PageHeader } from '../../../_components/shell/page-header';
import { NotLoaded } from '../../../_components/states';
import { ExportButton } from '../../../_components/tables/export-button';
import { NoRecords } from '../../../_components/tables/no-records';
import { KeysetPager } from '../../../_components/tables/pager';
import { useTRPC } from '../../../_components/trpc';
import { useUrlState } from '../../../_components/use-url-state';
import { DateField } from '../day-stepper';
import { useNamesShown, ViewedNames } from '../display/customer-names';
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
} from '../query';
import { useRememberLocation } from '../schedule/use-schedule';
import type { Choices, Searched } from '../types';
import { ViewSwitch } from '../view-switch';
import { BookingsTable } from './bookings-table';
import { CallerResults } from './caller-results';
import { EXAMPLE_NUMBERS, isPartOfPhone, readName, readSearchedPhone } from './phone';
import { useCaller } from './use-caller';

const RULES = { change: changeQuery };

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
    <Hint mt="sm">
      {t.rich('cancelledHidden', {
        link: (text) => (
          <TextLink href={href} underline="always">
            {text}
          </TextLink>
        ),
      })}
    </Hint>
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
  const list = useQuery(trpc.bookings.list.queryOptions(listInput(query), { placeholderData: keepPreviousData }));
  if (list.isError || !list.data)
    return <NotLoaded query={list} rows={8} height={52} toFirst={() => go({ cursor: null, back: false })} />;
  const { bookings, previous, next } = list.data;
  return (
    <div>
      {bookings.length === 0 ? (
        <NoBookings query={query} go={go} findsByPhone={findsByPhone} />
      ) : (
        <ViewedNames view="list" references={bookings.map(({ reference }) => reference)} isAllowed={findsByPhone}>
          <BookingsTable bookings={bookings} order={{ query, go }} busy={list.isPlaceholderData} />
        </ViewedNames>
      )}
      <KeysetPager previous={previous} next={next} href={href} go={go} />
      {hidesCancelled(query) && <CancelledHidden href={href({ status: 'any' })} />}
    </div>
  );
}

type Props = {
  query: BookingsQuery;
  go: (patch: Partial<BookingsQuery>) => void;
  findsByPhone: boolean;
};

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

const Visits = dynamic(() =>
  import('./complete-visits-dialog').then(({ CompleteVisitsDialog }) => CompleteVisitsDialog),
);

function CompleteVisits({ locationId }: { locationId: string | null }) {
  const t = useTranslations('bookings.visits');
  const [opened, { open, close }] = useDisclosure();
  const [wasOpened, setWasOpened] = useState(false);
  const start = () => {
    setWasOpened(true);
    open();
  };
  return (
    <>
      <Button
        variant="default"
        px={{ base: 'xs', sm: 'md' }}
        leftSection={<IconChecks size={16} aria-hidden />}
        onClick={start}
      >
        {t('title')}
      </Button>
      {wasOpened && <Visits opened={opened} locationId={locationId} onClose={close} />}
    </>
  );
}

type BookingSearchProps = {
  query: BookingsQuery;
  /** The phone number or name whose bookings are shown. Undefined if the list is not searched by either. */
  searched: Searched | undefined;
  /** Finds bookings by phone number and perhaps by name. Null if the member's role does not allow viewing contacts. */
  findCustomer: { busy: boolean; byName: boolean; find: (searched: Searched) => void } | null;
  /** Finds bookings by reference. If the reference is null, ends the search. */
  findReference: (reference: string | null) => void;
};

/** A number or a name does not become part of the URL. */
function BookingSearch({ query, searched: shown, findCustomer, findReference }: BookingSearchProps) {
  const t = useTranslations('bookings.search');
  const refusalText = useTranslations('common.search');
  const label = t(findCustomer?.byName ? 'byName' : findCustomer ? 'byPhone' : 'byReference');
  const find = (text: string) => {
    const name = findCustomer?.byName ? readName(text) : null;
    const searched = findCustomer && (readSearchedPhone(text) ?? (name === null ? null : { name }));
    if (searched) {
      findCustomer?.find(searched);
      return null;
    }
    const pasted = readPasted(text);
    if (pasted.kind === 'reference') findReference(pasted.reference);
    if (pasted.kind === 'nothing') findReference(null);
    if (pasted.kind === 'request') return t('requestId');
    return pasted.kind === 'refused' ? refusalText(pasted.refusal) : null;
  };
  return (
    <FindForm
      label={label}
      value={shown?.phone ?? shown?.national ?? shown?.name ?? query.reference ?? ''}
      busy={findCustomer?.busy ?? false}
      find={find}
    />
  );
}

type FilterBarProps = {
  query: BookingsQuery;
  choices: Choices | undefined;
  go: (patch: Partial<BookingsQuery>) => void;
  exporter: ReactNode;
  actions: ReactNode;
};

function FilterBar({ query, choices, go, ...buttons }: FilterBarProps) {
  const t = useTranslations('bookings.filters');
  const words = useTranslations('words.bookingStatus');
  const statuses = BOOKING_FIELDS.status.values.map((value) => ({
    value,
    label: value === 'any' ? t('anyStatus') : words(value),
  }));
  return (
    <FilterFields
      query={query}
      go={go}
      period={{
        picker: <PeriodPicker query={query} go={go} />,
        isDefault: query.period === 'upcoming',
        reset: { period: 'upcoming', direction: null },
      }}
      {...buttons}
      selects={{
        status: { label: t('status'), any: t('allExceptCanceled'), options: statuses },
        location: { of: 'location', options: optionsOf(choices?.locations) },
        service: { of: 'service', options: optionsOf(choices?.services) },
        specialist: { of: 'specialist', options: optionsOf(choices?.specialists) },
        application: { of: 'application', options: optionsOf(choices?.applications) },
      }}
      none={FILTER.none}
      cols={{ base: 3, lg: 6 }}
    />
  );
}

type PeriodPickerProps = { query: BookingsQuery; go: (patch: Partial<BookingsQuery>) => void };

const PERIODS = ['upcoming', 'past', 'all', 'dates'] as const satisfies BookingsQuery['period'][];

function PeriodPicker({ query, go }: PeriodPickerProps) {
  const t = useTranslations('bookings.period');
  const { period, from, to } = query;
  const isOrdered = from === null || to === null || from <= to;
  const choose = (value: string) => go({ period: value as BookingsQuery['period'], direction: null });
  return (
    <Group gap="sm" align="flex-start">
      <SegmentedControl
        aria-label={t('label')}
        value={period}
        onChange={choose}
        data={PERIODS.map((value) => ({ value, label: t(value) }))}
      />
      {period === 'dates' && (
        <Group gap="xs" align="flex-start">
          <DateField label={t('from')} value={from} onChange={(date) => go({ from: date })} />
          <DateField
            label={t('to')}
            value={to}
            onChange={(date) => go({ to: date })}
            error={isOrdered ? null : t('order')}
          />
        </Group>
      )}
    </Group>
  );
}
