'use client';

import { ActionIcon, Box, Button, Group } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { PageHeader } from '../../../_components/shell/page-header';
import { EmptyState, ErrorState, LoadingRows } from '../../../_components/states';
import { dayHref, newBookingHref, weekHref } from '../query';
import { ViewSwitch } from '../view-switch';
import styles from './calendar.module.css';
import { Controls, NarrowControls } from './controls';
import type { Schedule } from './use-schedule';

type Failure = Parameters<typeof ErrorState>[0]['error'];

type Props<Data> = {
  unit: 'day' | 'week';
  /** Whether the member may make bookings. */
  canEdit: boolean;
  title: string;
  lead: string;
  schedule: Schedule;
  query: Parameters<typeof dayHref>[0];
  /** Returns the URL of the booking list with the same location and dates as the schedule. */
  listHref: (location: string | null) => string;
  /** Renders an additional filter beside the location field. `data` is undefined until the schedule is loaded. */
  filter?: (data: Data | undefined) => ReactNode;
  /** A further field of the sheet of a narrow screen. */
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
          <Group gap="xs" className={styles.screen}>
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
