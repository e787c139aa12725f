'use client';

import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../../_components/dialog';
import { BookingDialogFacts } from '../../_components/dialog-facts';
import { formatDate } from '../../_components/format';
import { RescheduleEnd } from '../../_components/reschedule-end';
import type { BookingDetail, MoveSlot } from '../../_components/types';
import { useReschedule } from '../../_components/use-reschedule';
import { type Chosen, SlotPicker } from './slot-picker';

type Props = { booking: BookingDetail; opened: boolean; onClose: () => void };

/** The dialog that moves the booking to an available slot of its service and location. */
export function RescheduleDialog({ booking, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Reschedule booking" size="lg">
      <RescheduleForm booking={booking} onClose={onClose} />
    </Dialog>
  );
}

function RescheduleForm({ booking, onClose }: Omit<Props, 'opened'>) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const reschedule = useReschedule(onClose);
  const { reference, version } = booking;
  const run = () => {
    if (!chosen) return;
    const { slot, specialistId } = chosen;
    const to = { date: slot.date, start_time: slot.start_time, specialist_id: specialistId };
    reschedule.move.mutate({ reference, expected_version: version, ...to });
  };
  return (
    <Stack>
      <BookingDialogFacts booking={booking} when="Current time" />
      <SlotPicker
        booking={booking}
        chosen={chosen}
        onChoose={(next) => {
          reschedule.move.reset();
          setChosen(next);
        }}
      />
      {chosen && (
        <Text size="sm" role="status">
          New time: <b>{newTimeOf(chosen, booking)}</b> ({booking.time_zone}). The partner is notified by webhook. The
          customer is not notified.
        </Text>
      )}
      <RescheduleEnd reschedule={reschedule} disabled={chosen === null} onClose={onClose} onReschedule={run} />
    </Stack>
  );
}

function newTimeOf({ slot, specialistId, names }: Chosen, { specialist }: BookingDetail): string {
  const kept = slot.specialist_ids.includes(specialist.id) ? specialist.id : null;
  const id = specialistId ?? kept ?? onlyOf(slot);
  return `${formatDate(slot.date)}, ${slot.start_time} with ${id === null ? 'an available specialist' : (names.get(id) ?? id)}`;
}

function onlyOf({ specialist_ids: [only, ...others] }: MoveSlot): string | null {
  return only !== undefined && others.length === 0 ? only : null;
}
