'use client';

import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useTRPC } from '../../../_components/trpc';
import { useUrlState } from '../../../_components/use-url-state';
import { referencesOf } from '../../_components/calendar/columns';
import { SchedulePage } from '../../_components/calendar/schedule-page';
import { ScheduleSheet } from '../../_components/calendar/schedule-sheet';
import { useSchedule } from '../../_components/calendar/use-schedule';
import { ViewedNames } from '../../_components/customer-names';
import { bookingsHref, DAY_PARSERS } from '../../_components/query';
import { DayPanel } from './day-panel';

/**
 * One day's bookings at one location. By default, the page shows today. If the URL names no location, `defaultLocation`
 * in `lib/booking/bookings/day.ts` selects one.
 * @param canEdit Whether the member may move bookings.
 * @param canBlock Whether the member may block time.
 */
export function DayView({ canEdit, canBlock }: { canEdit: boolean; canBlock: boolean }) {
  const t = useTranslations('bookings.day');
  const trpc = useTRPC();
  const { query, go } = useUrlState(DAY_PARSERS);
  const schedule = useSchedule(query, go);
  const { date, input } = schedule;
  const day = useQuery(
    trpc.bookings.day.queryOptions(input, { placeholderData: keepPreviousData, enabled: date !== null }),
  );
  return (
    <SchedulePage
      unit="day"
      canEdit={canEdit}
      title={t('title')}
      lead={t('lead')}
      schedule={schedule}
      query={query}
      listHref={(location) => bookingsHref(date ? { period: 'dates', from: date, to: date, location } : { location })}
      narrowFilter={<LayoutChoice layout={query.layout} onChange={(layout) => go({ layout })} />}
      loaded={day}
    >
      {(data) => (
        <ViewedNames view="day" references={referencesOf([data])} isAllowed={canEdit}>
          <DayPanel
            key={data.location.id}
            day={data}
            busy={day.isPlaceholderData}
            canEdit={canEdit}
            canBlock={canBlock}
            layout={query.layout}
          />
          <ScheduleSheet location={data.location.name} timeZone={data.time_zone} days={[data]} />
        </ViewedNames>
      )}
    </SchedulePage>
  );
}

type Layout = 'rows' | 'calendar';

/** Selects what a narrow screen shows. */
function LayoutChoice({ layout, onChange }: { layout: Layout; onChange: (layout: Layout) => void }) {
  const t = useTranslations('bookings.day.layout');
  return (
    <SegmentedControl
      aria-label={t('label')}
      fullWidth
      value={layout}
      onChange={(value) => onChange(value === 'rows' ? 'rows' : 'calendar')}
      data={[
        { value: 'rows', label: t('rows') },
        { value: 'calendar', label: t('calendar') },
      ]}
    />
  );
}
