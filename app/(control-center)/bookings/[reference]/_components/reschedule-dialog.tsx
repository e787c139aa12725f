'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../../../_components/dialog';
import { formatDate } from '../../_components/format';
import type { BookingDetail, MoveSlot } from '../../_components/types';
import { problemOf, useReschedule } from '../../_components/use-reschedule';
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
  const { move, reload, reloading, isStale } = useReschedule(onClose);
  const { reference, version } = booking;
  const run = () => {
    if (!chosen) return;
    const { slot, specialistId } = chosen;
    const to = { date: slot.date, start_time: slot.start_time, specialist_id: specialistId };
    move.mutate({ reference, expected_version: version, ...to });
  };
  return (
    <Stack>
      <Text size="sm">
        {booking.service.name} at {booking.location.name}, currently {formatDate(booking.date)}, {booking.start_time}{' '}
        with {booking.specialist.name}. Times are in {booking.time_zone}.
      </Text>
      <SlotPicker
        booking={booking}
        chosen={chosen}
        onChoose={(next) => {
          move.reset();
          setChosen(next);
        }}
      />
      {chosen && (
        <Text size="sm" role="status">
          New time: <b>{newTimeOf(chosen, booking)}</b>. The partner is notified by webhook. The customer is not
          notified.
        </Text>
      )}
      {move.error && (
        <Alert color="red" role="alert">
          {problemOf(move.error)}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Keep current time
        </Button>
        {isStale ? (
          <Button loading={reloading} onClick={reload}>
            Reload
          </Button>
        ) : (
          <Button disabled={chosen === null} loading={move.isPending} onClick={run}>
            Reschedule
          </Button>
        )}
      </Group>
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
