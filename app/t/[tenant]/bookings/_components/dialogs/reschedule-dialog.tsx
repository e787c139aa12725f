'use client';

import { Alert, Button, Chip, Group, Input, NativeSelect, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Translator, useFormats } from '@/app/_components/language';
import { Dialog } from '../../../_components/dialogs/dialog';
import { Fields } from '../../../_components/forms/form';
import { Problem } from '../../../_components/forms/form-end';
import { type ErrorState, LoadingRows, NotLoaded } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import { DayStepper } from '../day-stepper';
import { dateText, notifiedText, timesText, timeText } from '../display/format';
import type { BookingDetail, MoveSlot, MoveSlots } from '../types';
import { BookingDialogFacts, type BookingFacts } from './dialog-facts';
import styles from './times.module.css';

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
  const t = useTranslations('bookings.reschedule');
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('title')}
      size="lg"
      {...(onFocus && { returnFocus: false, onExitTransitionEnd: onFocus })}
    >
      <RescheduleForm booking={booking} preset={preset} onClose={onClose} />
    </Dialog>
  );
}

type FormProps = { booking: Booking; preset: Preset | null; onClose: () => void };

function RescheduleForm({ booking, preset, onClose }: FormProps) {
  const t = useTranslations('bookings.reschedule');
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
      <BookingDialogFacts booking={booking} when={t('current')} />
      {preset && start === suggested && found.data && !slot && <Refused reference={reference} preset={preset} />}
      <Fields busy={move.isPending}>
        <Group gap="sm" align="flex-end">
          <DayStepper date={date} onChange={(next) => change(() => setDate(next))} />
          <NativeSelect
            label={t('specialist')}
            value={specialistId ?? ''}
            onChange={(event) => {
              const id = event.currentTarget.value || null;
              change(() => setSpecialist(id));
            }}
            data={[
              { value: '', label: t('any', { name: booking.specialist.name }) },
              ...[...names].map(([id, name]) => ({ value: id, label: t('only', { name }) })),
            ]}
          />
        </Group>
        <FoundTimes
          found={found}
          date={date}
          chosen={slot}
          onDate={(next) => change(() => setDate(next))}
          onChoose={(next) => change(() => setStart(next))}
        />
      </Fields>
      {slot && <NewTime slot={slot} booking={booking} specialist={specialistOf(slot, specialistId, booking, names)} />}
      <Problem error={move.error && problemOf(t, move.error)} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('keep')}
        </Button>
        {isStale ? (
          <Button loading={reloading} onClick={reload}>
            {t('reload')}
          </Button>
        ) : (
          <Button disabled={!slot} loading={move.isPending} onClick={run}>
            {t('go')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function specialistOf(
  { specialist_ids: free }: MoveSlot,
  chosen: string | null,
  { specialist }: Booking,
  names: ReadonlyMap<string, string>,
): string | null {
  const kept = free.includes(specialist.id) ? specialist.id : null;
  const id = chosen ?? kept ?? (free.length === 1 ? free[0] : undefined);
  return id === undefined ? null : (names.get(id) ?? id);
}

type NewTimeProps = { slot: MoveSlot; booking: Booking; specialist: string | null };

function NewTime({ slot, booking, specialist }: NewTimeProps) {
  const t = useTranslations('bookings');
  const change = useTranslations('bookings.change');
  const format = useFormats();
  const values = {
    date: dateText(format, slot.date),
    time: timesText(format, slot),
    timeZone: booking.time_zone,
    b: (text: ReactNode) => <b>{text}</b>,
  };
  return (
    <Text size="sm" role="status">
      {specialist === null
        ? t.rich('reschedule.newTimeAny', values)
        : t.rich('reschedule.newTime', { ...values, specialist })}{' '}
      {notifiedText(change, booking.application)}
    </Text>
  );
}

function Refused({ reference, preset }: { reference: string; preset: Preset }) {
  const t = useTranslations('bookings.reschedule');
  const format = useFormats();
  const trpc = useTRPC();
  const { date, start_time, specialist_id, refusalText } = preset;
  const check = useQuery(
    trpc.bookings.check_move.queryOptions({ reference, date, start_time, specialist_id }, { staleTime: 0 }),
  );
  if (check.isPending) return <LoadingRows rows={1} height={48} />;
  return (
    <Alert color="yellow" role="alert" title={t('unavailable', { time: timeText(format, start_time) })}>
      {refusalText(check.data?.reason ?? null)}
    </Alert>
  );
}

type FoundProps = {
  found: Pick<UseQueryResult<MoveSlots, Failure>, 'data' | 'isError' | 'error' | 'refetch'>;
  date: string;
  chosen: MoveSlot | undefined;
  onDate: (date: string) => void;
  /** Called with the start of the chosen slot in UTC. */
  onChoose: (startsAt: string) => void;
};

type Failure = Parameters<typeof ErrorState>[0]['error'] & object;

/** The times of a day from which the user chooses one, or the next day that has some. */
export function FoundTimes({ found, date, chosen, onDate, onChoose }: FoundProps) {
  if (found.isError || !found.data) return <NotLoaded query={found} rows={3} height={32} />;
  const { slots, next_date: next } = found.data;
  if (slots.length === 0) return <NoTimes date={date} next={next} onDate={onDate} />;
  return <Times slots={slots} chosen={chosen} onChoose={onChoose} />;
}

type NoTimesProps = { date: string; next: string | null; onDate: (date: string) => void };

function NoTimes({ date, next, onDate }: NoTimesProps) {
  const t = useTranslations('bookings.times');
  const format = useFormats();
  return (
    <Group gap="sm" role="status">
      <Text size="sm">{t('none', { date: dateText(format, date) })}</Text>
      {next && (
        <Button variant="default" size="xs" onClick={() => onDate(next)}>
          {t('next', { date: dateText(format, next) })}
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

function Times({ slots, chosen, onChoose }: TimesProps) {
  const t = useTranslations('bookings.times');
  const format = useFormats();
  const label = useId();
  return (
    <div>
      <Input.Label id={label} component="div">
        {t('label')}
      </Input.Label>
      <Chip.Group value={chosen?.starts_at ?? null} onChange={onChoose}>
        <div role="radiogroup" aria-labelledby={label} className={styles.times}>
          {slots.map(({ starts_at, start_time }) => (
            <Chip key={starts_at} value={starts_at} size="sm" radius="md" classNames={{ label: styles.time ?? '' }}>
              {timeText(format, start_time)}
            </Chip>
          ))}
        </div>
      </Chip.Group>
    </div>
  );
}

function useReschedule(onDone: () => void) {
  const t = useTranslations('bookings.reschedule');
  const trpc = useTRPC();
  const refresh = useDone(trpc.bookings);
  const move = useMutation(
    trpc.bookings.reschedule.mutationOptions({
      // The dialog stays open until the new version is loaded. Otherwise, the next action would send the old version.
      onSuccess: async () => {
        await refresh();
        onDone();
        notifications.show({ message: t('done') });
      },
      onError: (error) => {
        // The available times have changed, so they are reloaded.
        if (error.data?.code === 'booking_unavailable') void refresh();
      },
    }),
  );
  const [reloading, setReloading] = useState(false);
  const reload = async () => {
    setReloading(true);
    await refresh();
    setReloading(false);
    onDone();
  };
  return { move, reload, reloading, isStale: move.error?.data?.code === 'version_conflict' };
}

type RescheduleFailure = { message: string; data?: { reason?: string | null; code?: string } | null };

function problemOf(t: Translator<'bookings.reschedule'>, { message, data }: RescheduleFailure): string {
  if (data?.code === 'version_conflict') return t('problems.conflict', { message });
  const reason = data?.reason;
  if (reason === 'slot_taken' || reason === 'same_slot') return t(`problems.${reason}`);
  return t('problems.other', { message });
}
