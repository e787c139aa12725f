'use client';

import { Group, NativeSelect } from '@mantine/core';
import styles from '../../_components/calendar/calendar.module.css';
import { DayStepper } from '../../_components/day-stepper';
import type { Choices } from '../../_components/types';

type Props = {
  locations: Choices['locations'];
  location: string | null;
  date: string;
  today: string | null;
  go: (patch: { location?: string; date?: string }) => void;
};

/** Selects the location and the date of the day schedule. */
export function DayControls({ locations, location, date, today, go }: Props) {
  const options = locations.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Group gap="sm" mb="md" align="flex-end" className={styles.screen}>
      <NativeSelect
        label="Location"
        value={location ?? ''}
        onChange={(event) => go({ location: event.currentTarget.value })}
        data={location === null ? [{ value: '', label: '' }, ...options] : options}
      />
      <DayStepper date={date} today={today} onChange={(next) => go({ date: next })} />
    </Group>
  );
}
