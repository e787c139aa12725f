'use client';

import { Group, NativeSelect } from '@mantine/core';
import { DayStepper } from '../day-stepper';
import type { Choices } from '../types';
import styles from './calendar.module.css';

type Props = {
  unit: 'day' | 'week';
  locations: Choices['locations'];
  location: string | null;
  date: string;
  today: string | null;
  go: (patch: { location?: string; date?: string }) => void;
};

/** Selects the location and the date of the calendar. */
export function Controls({ unit, locations, location, date, today, go }: Props) {
  const options = locations.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Group gap="sm" mb="md" align="flex-end" className={styles.screen}>
      <NativeSelect
        label="Location"
        value={location ?? ''}
        onChange={(event) => go({ location: event.currentTarget.value })}
        data={location === null ? [{ value: '', label: '' }, ...options] : options}
      />
      <DayStepper unit={unit} date={date} today={today} onChange={(next) => go({ date: next })} />
    </Group>
  );
}
