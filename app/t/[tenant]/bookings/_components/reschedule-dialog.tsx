'use client';

import { Alert, Button, Chip, Group, Input, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Dialog } from '../../_components/dialogs/dialog';
import { ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { DayStepper } from './day-stepper';
import { BookingDialogFacts, type BookingFacts } from './dialog-facts';
import { formatDate, notifiedText } from './format';
import type { BookingDetail, MoveSlot } from './types';
import { problemOf, useReschedule } from './use-reschedule';

/** The time that the calendar suggests because a booking was dropped there. */
export type Preset = {
  date: string;
  start_time: string;
  /** The start of the slot in UTC; null if the booking was dropped where no slot is offered. */
  starts_at: string | null;
  /** Null keeps the booking's specialist if possible. */
  specialist_id: string | null;
  /** Returns the text for the server's reason why the time is not available. */
  refusalText: (reason: string | null) => string;
};

type Booking = BookingFacts & Pick<BookingDetail, 'reference' | 'version' | 'specialist'>;

type Props = {
  booking: Booking;
  preset?: Preset | null;
  opened: boolean;
  onClose: () => void;
  /** Replaces the default, which returns the focus to the element that opened the dialog. */
  onFocus?: () => void;
};

/** The dialog that moves a booking to an available slot of its service and location. */
export function RescheduleDialog({ booking, preset = null, opened, onClose, onFocus }: Props) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Reschedule booking"
      size="lg"
      {...(onFocus && { returnFocus: false, onExitTransitionEnd: onFocus })}
    >
      <RescheduleForm booking={booking} preset={preset} onClose={onClose} />
    </Dialog>
  );
}

type FormProps = { booking: Booking; preset: Preset | null; onClose: () => void };

function RescheduleForm({ booking, preset, onClose }: FormProps) {
  const trpc = useTRPC();
  const suggested = preset?.starts_at ?? preset?.start_time ?? null;
  const [date, setDate] = useState(preset?.date ?? booking.date);
  const [specialistId, setSpecialist] = useState(preset?.specialist_id ?? null);
  const [start, setStart] = useState(suggested);
  const { move, reload, reloading, isStale } = useReschedule(onClose);
  const { reference, version } = booking;
  const found = useQuery(trpc.bookings.slots.queryOptions({ reference, date, specialist_id: specialistId }));
  const names = new Map([booking.specialist, ...(found.data?.specialists ?? [])].map(({ id, name }) => [id, name]));
  const slot = found.data?.slots.find((one) => start === one.starts_at || start === one.start_time);
  const change = (next: () => void) => {
    move.reset();
    setStart(null);
    next();
  };
  const run = () => {
    if (!slot) return;
    const to = { date: slot.date, start_time: slot.start_time, specialist_id: specialistId };
    move.mutate({ reference, expected_version: version, ...to });
  };
  return (
    <Stack>
      <BookingDialogFacts booking={booking} when="Current time" />
      {preset && start === suggested && found.data && !slot && <Refused reference={reference} preset={preset} />}
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
            ...[...names].map(([id, name]) => ({ value: id, label: `Only ${name}` })),
          ]}
        />
      </Group>
      {found.isError ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} />
      ) : !found.data ? (
        <LoadingRows rows={3} height={32} />
      ) : found.data.slots.length === 0 ? (
        <NoTimes date={date} next={found.data.next_date} onDate={(next) => change(() => setDate(next))} />
      ) : (
        <Times slots={found.data.slots} chosen={slot} onChoose={(next) => change(() => setStart(next))} />
      )}
      {slot && (
        <Text size="sm" role="status">
          New time: <b>{newTimeOf(slot, specialistId, booking, names)}</b> ({booking.time_zone}).{' '}
          {notifiedText(booking.application)}
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
          <Button disabled={!slot} loading={move.isPending} onClick={run}>
            Reschedule
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function newTimeOf(
  { date, start_time, end_time, specialist_ids: free }: MoveSlot,
  chosen: string | null,
  { specialist }: Booking,
  names: ReadonlyMap<string, string>,
): string {
  const kept = free.includes(specialist.id) ? specialist.id : null;
  const id = chosen ?? kept ?? (free.length === 1 ? free[0] : undefined);
  return `${formatDate(date)}, ${start_time}–${end_time} with ${id === undefined ? 'an available specialist' : (names.get(id) ?? id)}`;
}

/** Says why the time at which a booking was dropped is not available. */
function Refused({ reference, preset }: { reference: string; preset: Preset }) {
  const trpc = useTRPC();
  const { date, start_time, specialist_id, refusalText } = preset;
  const check = useQuery(
    trpc.bookings.check_move.queryOptions({ reference, date, start_time, specialist_id }, { staleTime: 0 }),
  );
  if (check.isPending) return <LoadingRows rows={1} height={48} />;
  return (
    <Alert color="yellow" role="alert" title={`${start_time} is not available`}>
      {refusalText(check.data?.reason ?? null)}
    </Alert>
  );
}

type NoTimesProps = { date: string; next: string | null; onDate: (date: string) => void };

/** Says that a day has no times, and offers the next day that has some. */
export function NoTimes({ date, next, onDate }: NoTimesProps) {
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

type TimesProps = {
  slots: readonly MoveSlot[];
  chosen: MoveSlot | undefined;
  onChoose: (startsAt: string) => void;
};

/** The times from which the user chooses one. */
export function Times({ slots, chosen, onChoose }: TimesProps) {
  const label = useId();
  return (
    <div>
      <Input.Label id={label} component="div">
        Available times
      </Input.Label>
      <Chip.Group value={chosen?.starts_at ?? null} onChange={onChoose}>
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
