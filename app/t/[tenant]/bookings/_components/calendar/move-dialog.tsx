'use client';

import { Alert, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../../_components/dialog';
import { Fact } from '../../../_components/facts';
import { ErrorState, LoadingRows } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import { DialogFacts } from '../dialog-facts';
import { RescheduleEnd } from '../reschedule-end';
import { useReschedule } from '../use-reschedule';
import { type Column, whenText } from './columns';
import { refusalText } from './refusal';
import type { Landing, Moved, MoveState } from './use-move';

type Props = {
  state: MoveState;
  columns: readonly Column[];
  columnKind: 'specialist' | 'day';
  location: string;
  timeZone: string;
  /** Returns the local time of a minute on the time axis. */
  timeOf: (minute: number) => string;
};

/**
 * The dialog that opens when a booking is dropped. It states the old and the new time and specialist, or why the
 * booking cannot be moved.
 */
export function MoveDialog({ state, columns, columnKind, location, timeZone, timeOf }: Props) {
  const { move, landing, failure } = state;
  const column = columns.find(({ key }) => key === landing?.place.column);
  const isFree = landing?.kind === 'slot';
  const after = () => {
    // `setTimeout` waits until the reloaded data is rendered, because this gives a booking that has moved to a
    // different column a new element.
    if (move) setTimeout(() => focusBooking(move.booking.reference));
    state.cancel();
  };
  return (
    <Dialog
      opened={move?.phase === 'confirming'}
      onClose={state.close}
      title={isFree ? 'Reschedule booking?' : 'This time is not available'}
      size="lg"
      returnFocus={false}
      onExitTransitionEnd={after}
    >
      {move && landing && column && (
        <Stack>
          {landing.kind === 'slot' ? (
            <Confirm
              moved={move}
              landing={landing}
              column={column}
              // In the week schedule, a column is a day, so the user can choose a specialist in the dialog. In the day
              // schedule, a column is a specialist, so the user has already chosen one.
              others={columnKind === 'day' ? state.specialists : []}
              location={location}
              timeZone={timeZone}
              onClose={state.close}
            />
          ) : landing.kind === 'loading' ? (
            <LoadingRows rows={3} height={32} />
          ) : failure && !failure.data?.reason ? (
            <ErrorState error={failure} retry={state.close} />
          ) : (
            <Refused
              moved={move}
              column={column}
              minute={landing.place.minute}
              location={location}
              startTime={timeOf(landing.place.minute)}
              known={landing.kind === 'origin' ? 'same_slot' : (failure?.data?.reason ?? null)}
              onClose={state.close}
            />
          )}
        </Stack>
      )}
    </Dialog>
  );
}

/** Focuses a booking's link in the calendar. If there is no such link, focuses the page title. */
export function focusBooking(reference: string): void {
  const link = document.querySelector<HTMLElement>(`[data-reference="${CSS.escape(reference)}"] a`);
  (link ?? document.querySelector<HTMLElement>('main h1'))?.focus();
}

type ConfirmProps = {
  moved: Moved;
  landing: Extract<Landing, { kind: 'slot' }>;
  column: Column;
  /** Specialists to offer in the dialog. Those who are not available at the new time are left out. */
  others: readonly { id: string; name: string }[];
  location: string;
  timeZone: string;
  onClose: () => void;
};

function Confirm({ moved: { booking, block }, landing: { slot }, column, others, ...props }: ConfirmProps) {
  const { location, timeZone, onClose } = props;
  const reschedule = useReschedule(onClose);
  const kept = column.specialist ?? block.specialist;
  const [specialistId, setSpecialist] = useState(kept.id);
  const options = [kept, ...others.filter(({ id }) => id !== kept.id && slot.specialist_ids.includes(id))];
  const { name } = options.find(({ id }) => id === specialistId) ?? kept;
  const run = () =>
    reschedule.move.mutate({
      reference: booking.reference,
      expected_version: booking.version,
      date: slot.date,
      start_time: slot.start_time,
      specialist_id: specialistId,
    });
  return (
    <>
      <DialogFacts
        service={block.service}
        location={{ name: location }}
        externalReference={booking.external_reference}
        application={{ name: booking.application_name }}
      >
        <Fact name="From">
          {whenText(block.date, block.start_time, block.end_time, block.specialist.name)} ({timeZone})
        </Fact>
        <Fact name="To">
          <b>{whenText(slot.date, slot.start_time, slot.end_time, name)}</b> ({timeZone})
        </Fact>
      </DialogFacts>
      {options.length > 1 && (
        <NativeSelect
          label="Specialist"
          description="The specialists who are available at the new time."
          value={specialistId}
          onChange={(event) => {
            reschedule.move.reset();
            setSpecialist(event.currentTarget.value);
          }}
          data={options.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <Text size="sm">The partner is notified by webhook. The customer is not notified.</Text>
      <RescheduleEnd reschedule={reschedule} autoFocus onClose={onClose} onReschedule={run} />
    </>
  );
}

type RefusedProps = {
  moved: Moved;
  column: Column;
  minute: number;
  location: string;
  startTime: string;
  /** The reason for the refusal; null if it is not known yet. */
  known: string | null;
  onClose: () => void;
};

function Refused({ moved: { booking, block }, column, minute, location, startTime, known, onClose }: RefusedProps) {
  const trpc = useTRPC();
  const start = {
    date: column.date,
    start_time: startTime,
    specialist_id: column.specialist?.id ?? block.specialist.id,
  };
  const check = useQuery(
    trpc.bookings.check_move.queryOptions(
      { reference: booking.reference, ...start },
      { enabled: known === null, staleTime: 0 },
    ),
  );
  const reason = known ?? check.data?.reason ?? check.error?.data?.reason ?? null;
  return (
    <>
      {known === null && check.isPending ? (
        <LoadingRows rows={1} height={48} />
      ) : (
        <Alert color="yellow" role="alert">
          {refusalText(reason, { column, block, minute, location })} Nothing was changed.
        </Alert>
      )}
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      </Group>
    </>
  );
}
