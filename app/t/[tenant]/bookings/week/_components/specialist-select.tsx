'use client';

import { NativeSelect } from '@mantine/core';
import { peopleOf } from '../../_components/calendar/week-columns';
import type { BookingWeek } from '../../_components/types';

type Props = { week: BookingWeek | undefined; selected: string | null; onSelect: (specialist: string | null) => void };

/** Selects one specialist or all. Specialists with neither hours nor bookings in the week come last. */
export function SpecialistSelect({ week, selected, onSelect }: Props) {
  const people = week ? peopleOf(week) : [];
  const off = people.filter(({ present }) => !present);
  const option = ({ id, name, booked }: (typeof people)[number]) => ({
    value: id,
    label: `${name} · ${booked} booked`,
  });
  return (
    <NativeSelect
      label="Specialist"
      value={people.find(({ id }) => id === selected)?.id ?? ''}
      onChange={(event) => onSelect(event.currentTarget.value || null)}
      data={[
        { value: '', label: 'All specialists' },
        ...people.filter(({ present }) => present).map(option),
        ...(off.length > 0 ? [{ group: 'Off this week', items: off.map(option) }] : []),
      ]}
    />
  );
}
