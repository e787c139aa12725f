'use client';

import { Alert, Button, Group, NativeSelect, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../_components/dialogs/dialog';
import { Points } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';
import { BookingDialogFacts } from './dialog-facts';
import { actionName, notifiedText } from './format';
import type { BookingSummary, BookingTerms, OwnerAction } from './types';

type Reason = 'customer_request' | 'duplicate' | 'other';

const REASONS = [
  { value: '', label: 'No reason' },
  { value: 'customer_request', label: 'Requested by the customer' },
  { value: 'duplicate', label: 'Duplicate booking' },
  { value: 'other', label: 'Other reason' },
];

const DONE: Record<OwnerAction, string> = {
  cancel: 'Booking canceled.',
  complete: 'Booking marked as completed.',
  no_show: 'Booking marked as no-show.',
  reopen: 'Booking confirmed again.',
};

const CONSEQUENCES: Record<OwnerAction, readonly string[]> = {
  cancel: ['This cancels the booking and can’t be undone.', 'The time can be booked again immediately.'],
  complete: ['This marks the booking as completed. You can undo it for 24 hours.', 'The time remains reserved.'],
  no_show: ['This marks the booking as a no-show. You can undo it for 24 hours.', 'The time remains reserved.'],
  reopen: [
    'The booking is confirmed again, as before it was completed or marked as a no-show.',
    'It is not completed automatically: complete it, or mark it as a no-show, yourself.',
  ],
};

type Props = {
  booking: Omit<BookingSummary, keyof BookingTerms>;
  action: OwnerAction;
  opened: boolean;
  onClose: () => void;
  /** Called after the booking has been changed. */
  onDone?: () => void;
  /**
   * Loads the booking again after a concurrent change. Set this if no query loaded the booking, because the
   * dialog itself reloads only queries.
   */
  onReload?: () => Promise<unknown>;
};

/** The dialog that states the consequences of a change to the booking and asks for confirmation. */
export function ActionDialog({ booking, opened, ...props }: Props) {
  const { action } = props;
  const [reason, setReason] = useState<Reason | null>(null);
  const { change, close, reload, reloading } = useChange(props);
  const { reference, version } = booking;
  const name = actionName(action, booking.status);
  const run = () =>
    change.mutate({ reference, action, expected_version: version, cancel_reason: action === 'cancel' ? reason : null });
  return (
    <Dialog opened={opened} onClose={close} title={`${name}?`} size="lg">
      <Stack>
        <BookingDialogFacts booking={booking} when="When" />
        <Points title="What happens" points={[...CONSEQUENCES[action], notifiedText(booking.application)]} />
        {action === 'cancel' && (
          <NativeSelect
            label="Reason"
            description="Stored with the booking."
            value={reason ?? ''}
            onChange={(event) => setReason((event.currentTarget.value || null) as Reason | null)}
            data={REASONS}
          />
        )}
        {change.error && (
          <Alert color="red" role="alert">
            {change.error.message}{' '}
            {change.error.data?.httpStatus === 409 && 'Your change was not saved. Reload the booking and try again.'}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {action === 'cancel' ? 'Keep booking' : 'Cancel'}
          </Button>
          {change.error?.data?.httpStatus === 409 ? (
            <Button loading={reloading} onClick={reload}>
              Reload
            </Button>
          ) : (
            <Button color={action === 'cancel' ? 'red.9' : undefined} loading={change.isPending} onClick={run}>
              {name}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function useChange({ action, onClose, onDone, onReload }: Omit<Props, 'booking' | 'opened'>) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.bookings.pathKey() });
  const change = useMutation(
    trpc.bookings.change.mutationOptions({
      onSuccess: () => {
        onClose();
        onDone?.();
        notifications.show({ message: DONE[action] });
        return refresh();
      },
    }),
  );
  const close = () => {
    change.reset();
    onClose();
  };
  const [reloading, setReloading] = useState(false);
  // The dialog stays open until the booking is loaded again. Otherwise, the next action would send the old version.
  const reload = async () => {
    setReloading(true);
    await Promise.all([refresh(), onReload?.()]);
    setReloading(false);
    close();
  };
  return { change, close, reload, reloading };
}
