'use client';

import { ActionIcon, Box, Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { TextLink } from '@/app/_components/link';
import { NarrowFilters } from '../../../_components/forms/narrow-filters';
import { PageHeader } from '../../../_components/shell/page-header';
import { EmptyState, ErrorState, LoadingRows } from '../../../_components/states';
import calendar from '../calendar/calendar.module.css';
import { DayButtons, DayStepper } from '../day-stepper';
import { bookingsHref, dayHref, newBookingHref, weekHref } from '../query';
import type { Choices } from '../types';
import { ViewSwitch } from '../view-switch';
import styles from './schedule.module.css';
import type { Schedule } from './use-schedule';

type Failure = Parameters<typeof ErrorState>[0]['error'];

type Props<Data> = {
  unit: 'day' | 'week';
  canEdit: boolean;
  title: string;
  lead: string;
  schedule: Schedule;
  query: Parameters<typeof dayHref>[0];
  listHref: (location: string | null) => string;
  /** Renders an additional filter beside the location field. `data` is undefined until the schedule is loaded. */
  filter?: (data: Data | undefined) => ReactNode;
  narrowFilter?: ReactNode;
  loaded: { data: Data | undefined; isError: boolean; error: Failure; refetch: () => unknown };
  children: (data: Data) => ReactNode;
};

/** The page for the day or week schedule: header, location, date, and, once loaded, the schedule itself. */
export function SchedulePage<Data extends { location: { id: string } }>(props: Props<Data>) {
  const t = useTranslations('bookings.schedule');
  const { unit, canEdit, title, lead, schedule, query, listHref, loaded, children } = props;
  const { choices, date, today } = schedule;
  const location = schedule.locationOf(loaded.data?.location.id);
  const controls = {
    unit,
    locations: choices.data?.locations ?? [],
    location,
    today,
    filter: props.filter?.(loaded.data),
    go: (patch: { location?: string; date?: string }) => schedule.change(location, patch),
  };
  const hasLocations = choices.data === undefined || choices.data.locations.length > 0;
  return (
    <>
      <PageHeader
        title={title}
        lead={<Box visibleFrom="sm">{lead}</Box>}
        actions={
          <Group gap="xs" className={calendar.screen}>
            <ActionIcon
              hiddenFrom="sm"
              variant="default"
              size={36}
              aria-label={t('print')}
              onClick={() => window.print()}
            >
              <IconPrinter size={16} aria-hidden />
            </ActionIcon>
            <Button
              visibleFrom="sm"
              variant="default"
              leftSection={<IconPrinter size={16} aria-hidden />}
              onClick={() => window.print()}
            >
              {t('print')}
            </Button>
            <ViewSwitch
              newHref={canEdit ? newBookingHref({ location, date }) : null}
              shown={unit}
              listHref={listHref(location)}
              dayHref={dayHref(query)}
              weekHref={weekHref(query)}
            />
          </Group>
        }
      />
      {choices.isError && <ErrorState error={choices.error} retry={() => void choices.refetch()} />}
      {hasLocations || <EmptyState title={t('noLocations')}>{t('noLocationsHint')}</EmptyState>}
      {hasLocations && date !== null && (
        <>
          <Controls {...controls} date={date} />
          {loaded.isError ? (
            <Failed error={loaded.error} retry={() => void loaded.refetch()} />
          ) : loaded.data ? (
            children(loaded.data)
          ) : (
            <LoadingRows rows={10} height={60} />
          )}
          <NarrowControls {...controls} date={date} narrowFilter={props.narrowFilter} />
        </>
      )}
    </>
  );
}

function Failed({ error, retry }: { error: Failure; retry: () => void }) {
  const t = useTranslations('bookings.schedule');
  if (error?.data?.code === 'not_found') return <EmptyState title={t('notFound')}>{t('notFoundHint')}</EmptyState>;
  return <ErrorState error={error} retry={retry} />;
}

type ControlsProps = {
  unit: 'day' | 'week';
  locations: Choices['locations'];
  location: string | null;
  date: string;
  today: string | null;
  filter?: ReactNode;
  narrowFilter?: ReactNode;
  go: (patch: { location?: string; date?: string }) => void;
};

function Controls(props: ControlsProps) {
  const { unit, date, today, filter, go } = props;
  return (
    <div className={`${styles.controls} ${calendar.screen}`}>
      <LocationSelect {...props} />
      {filter}
      <DayStepper unit={unit} date={date} today={today} onChange={(next) => go({ date: next })} />
    </div>
  );
}

/** The same for a narrow screen: at its bottom edge, within reach of a thumb, with the fields in a sheet. */
function NarrowControls(props: ControlsProps) {
  const t = useTranslations('bookings.stepper');
  const { unit, date, today, filter, narrowFilter, go } = props;
  return (
    <div className={`${styles.barSpace} ${calendar.screen}`}>
      <div className={styles.bar}>
        <DayButtons unit={unit} date={date} today={today} onChange={(next) => go({ date: next })} />
        <NarrowFilters count={0} onClear={null}>
          {narrowFilter}
          <LocationSelect {...props} />
          {filter}
          <TextInput
            label={t('date')}
            type="date"
            value={date}
            onChange={(event) => event.currentTarget.value && go({ date: event.currentTarget.value })}
          />
        </NarrowFilters>
      </div>
    </div>
  );
}

function LocationSelect({ locations, location, go }: ControlsProps) {
  const t = useTranslations('bookings.schedule');
  const options = locations.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <NativeSelect
      label={t('location')}
      value={location ?? ''}
      onChange={(event) => go({ location: event.currentTarget.value })}
      data={location === null ? [{ value: '', label: '' }, ...options] : options}
    />
  );
}

type CancelledProps = { count: number; location: string; from: string; to: string };

/** Says how many canceled bookings a schedule does not show, with a link to them. */
export function CancelledLink({ count, ...where }: CancelledProps) {
  const t = useTranslations('bookings.schedule');
  if (count === 0) return null;
  const href = bookingsHref({ period: 'dates', status: 'cancelled', ...where });
  return (
    <Hint>
      {t.rich('cancelledHidden', {
        count,
        link: (text) => (
          <TextLink href={href} underline="always">
            {text}
          </TextLink>
        ),
      })}
    </Hint>
  );
}
