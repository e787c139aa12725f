'use client';

import { Button } from '@mantine/core';
import { useState } from 'react';
import { ActionDialog } from '../../_components/action-dialog';
import { ACTION_NAMES } from '../../_components/format';
import { RescheduleDialog } from '../../_components/reschedule-dialog';
import type { BookingDetail, OwnerAction } from '../../_components/types';

/** Buttons for the changes that the booking allows now. */
export function BookingActions({ booking }: { booking: BookingDetail }) {
  // The chosen action is kept while the dialog fades out so that the dialog's text does not change.
  const [chosen, setChosen] = useState<OwnerAction>('cancel');
  const [opened, setOpened] = useState(false);
  const open = (action: OwnerAction) => {
    setChosen(action);
    setOpened(true);
  };
  const [moving, setMoving] = useState(false);
  return (
    <>
      {booking.movable && (
        <Button variant="default" onClick={() => setMoving(true)}>
          Reschedule
        </Button>
      )}
      {booking.actions.map((action) => (
        <Button
          key={action}
          variant={action === 'complete' ? 'filled' : 'default'}
          c={action === 'cancel' ? 'var(--mantine-color-error)' : undefined}
          onClick={() => open(action)}
        >
          {ACTION_NAMES[action]}
        </Button>
      ))}
      <RescheduleDialog booking={booking} opened={moving} onClose={() => setMoving(false)} />
      <ActionDialog booking={booking} action={chosen} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
