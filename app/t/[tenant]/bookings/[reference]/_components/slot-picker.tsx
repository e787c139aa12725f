'use client';

import { Button, Chip, Group, Input, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ErrorState, LoadingRows } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { DayStepper } from '../../_components/day-stepper';
import { formatDate } from '../../_components/format';
import type { BookingDetail, MoveSlot, MoveSlots } from '../../_components/types';

/**
 * The chosen slot and specialist, and the names of all specialists. If `specialistId` is null, the booking keeps its
 * specialist, or gets another specialist if the current specialist is not free.
 */
export type Chosen = { slot: MoveSlot; specialistId: string | null; names: ReadonlyMap<string, string> };

type Props = { booking: BookingDetail; chosen: Chosen | null; onChoose: (chosen: Chosen | null) => void };

/** Lets the member choose the day, the specialist, and the start of an available slot. */
export function SlotPicker({ booking, chosen, onChoose }: Props) {
  const trpc = useTRPC();
  const [date, setDate] = useState(booking.date);
  const [specialistId, setSpecialist] = useState<string | null>(null);
  const input = { reference: booking.reference, date, specialist_id: specialistId };
  const found = useQuery(trpc.bookings.slots.queryOptions(input));
  const names = new Map([booking.specialist, ...(found.data?.specialists ?? [])].map(({ id, name }) => [id, name]));
  const others = [...names].filter(([id]) => id !== booking.specialist.id);
  const change = (next: () => void) => {
    next();
    onChoose(null);
  };
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-end">
        <DayStepper date={date} onChange={(next) => change(() => setDate(next))} />
        <NativeSelect
          label="Specialist"
          value={specialistId ?? ''}
          onChange={(event) => {
            const id = event.currentTarget.value || null;
            change(() => setSpecialist(id));
          }}
          data={[
            { value: '', label: `Any specialist (${booking.specialist.name} if available)` },
            { value: booking.specialist.id, label: `Only ${booking.specialist.name}` },
            ...others.map(([id, name]) => ({ value: id, label: `Only ${name}` })),
          ]}
        />
      </Group>
      {found.isError ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : !found.data ? (
        <LoadingRows rows={3} height={32} />
      ) : (
        <Times
          found={found.data}
          date={date}
          chosen={chosen?.slot ?? null}
          onChoose={(slot) => onChoose({ slot, specialistId, names })}
          onDate={(next) => change(() => setDate(next))}
        />
      )}
    </Stack>
  );
}

type TimesProps = {
  found: MoveSlots;
  date: string;
  chosen: MoveSlot | null;
  onChoose: (slot: MoveSlot) => void;
  onDate: (date: string) => void;
};

function Times({ found: { slots, next_date: next }, date, chosen, onChoose, onDate }: TimesProps) {
  const label = useId();
  if (slots.length === 0) {
    return (
      <Group gap="sm" role="status">
        <Text size="sm">No available times on {formatDate(date)}.</Text>
        {next && (
          <Button variant="default" size="xs" onClick={() => onDate(next)}>
            Next available day: {formatDate(next)}
          </Button>
        )}
      </Group>
    );
  }
  const choose = (value: string) => {
    const slot = slots.find(({ starts_at }) => starts_at === value);
    if (slot) onChoose(slot);
  };
  return (
    <div>
      <Input.Label id={label} component="div">
        Available times
      </Input.Label>
      <Chip.Group value={chosen?.starts_at ?? null} onChange={choose}>
        <Group gap="xs" role="radiogroup" aria-labelledby={label} mah={240} p={4} style={{ overflowY: 'auto' }}>
          {slots.map(({ starts_at, start_time }) => (
            <Chip key={starts_at} value={starts_at} size="sm" radius="md">
              {start_time}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </div>
  );
}
