'use client';

import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { DayStepper } from '../day-stepper';
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
  go: (patch: { location?: string; date?: string }) => void;
};

/** Selects the location and the date of the calendar. */
export function Controls({ unit, locations, location, date, today, filter, go }: Props) {
  const options = locations.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className={`${styles.controls} ${calendar.screen}`}>
      <div className={styles.choices}>
        <NativeSelect
          label="Location"
          value={location ?? ''}
          onChange={(event) => go({ location: event.currentTarget.value })}
          data={location === null ? [{ value: '', label: '' }, ...options] : options}
        />
        {filter}
      </div>
      <DayStepper unit={unit} date={date} today={today} onChange={(next) => go({ date: next })} />
    </div>
  );
}
