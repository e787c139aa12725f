'use client';

import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { NarrowFilters } from '../../../_components/forms/narrow-filters';
import { DayButtons, DayStepper } from '../day-stepper';
import type { Choices } from '../types';
import calendar from './calendar.module.css';
import styles from './schedule.module.css';

type Props = {
  unit: 'day' | 'week';
  locations: Choices['locations'];
  location: string | null;
  date: string;
  today: string | null;
  /** An additional field, such as the field for the specialist. */
  filter?: ReactNode;
  /** A further field of the sheet. */
  narrowFilter?: ReactNode;
  go: (patch: { location?: string; date?: string }) => void;
};

/** Selects the location and the date of the calendar, above it. */
export function Controls(props: Props) {
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
export function NarrowControls(props: Props) {
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

function LocationSelect({ locations, location, go }: Props) {
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
