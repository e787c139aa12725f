'use client';

import { Alert, Button, Group, List, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../../_components/trpc';
import { ACTION_NAMES, formatDate } from '../../_components/format';
import type { BookingDetail, OwnerAction } from '../../_components/types';

type Reason = 'customer_request' | 'duplicate' | 'other';

const REASONS = [
  { value: '', label: 'No reason' },
  { value: 'customer_request', label: 'The customer asked for it' },
  { value: 'duplicate', label: 'It is a duplicate' },
  { value: 'other', label: 'Another reason' },
];

const DONE: Record<OwnerAction, string> = {
  cancel: 'The booking is cancelled.',
  complete: 'The booking is completed.',
  no_show: 'The booking is marked as no-show.',
};

const WHAT: Record<OwnerAction, { does: string[]; leaves: string[] }> = {
  cancel: {
    does: [
      'The booking ends for good; it cannot be brought back.',
      'Its time is free at once and can be booked again.',
    ],
    leaves: ['The guest is not told by us: the partner learns of it by its webhook and when it reads the booking.'],
  },
  complete: {
    does: ['The booking ends for good: the visit took place.'],
    leaves: ['Its time stays taken.', 'The partner learns of it by its webhook and when it reads the booking.'],
  },
  no_show: {
    does: ['The booking ends for good: the guest did not come.'],
    leaves: ['Its time stays taken.', 'The partner learns of it by its webhook and when it reads the booking.'],
  },
};

type Props = { booking: BookingDetail; action: OwnerAction; opened: boolean; onClose: () => void };

/** Says exactly what an action does and what it does not, and asks. */
export function ActionDialog({ booking, action, opened, onClose }: Props) {
  const [reason, setReason] = useState<Reason | null>(null);
  const { change, close, reload } = useChange(action, onClose);
  const { reference, version } = booking;
  const run = () =>
    change.mutate({ reference, action, expected_version: version, cancel_reason: action === 'cancel' ? reason : null });
  const when = `${formatDate(booking.date)}, ${booking.start_time}`;
  return (
    <Modal opened={opened} onClose={close} title={`${ACTION_NAMES[action]}?`} size="lg">
      <Stack>
        <Text size="sm">
          {booking.service.name} on {when} with {booking.specialist.name}, booked by {booking.application.name}.
        </Text>
        <Consequences action={action} />
        {action === 'cancel' && (
          <NativeSelect
            label="Reason"
            description="Kept with the booking."
            value={reason ?? ''}
            onChange={(event) => setReason((event.currentTarget.value || null) as Reason | null)}
            data={REASONS}
          />
        )}
        {change.error && (
          <Alert color="red" role="alert">
            {change.error.message}{' '}
            {change.error.data?.httpStatus === 409 && 'Look at it again, then decide. Nothing was changed.'}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            Leave it as it is
          </Button>
          {change.error?.data?.httpStatus === 409 ? (
            <Button onClick={reload}>Load again</Button>
          ) : (
            <Button color={action === 'cancel' ? 'red.9' : undefined} loading={change.isPending} onClick={run}>
              {ACTION_NAMES[action]}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

function useChange(action: OwnerAction, onClose: () => void) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.bookings.pathKey() });
  const change = useMutation(
    trpc.bookings.change.mutationOptions({
      onSuccess: () => {
        onClose();
        notifications.show({ message: DONE[action] });
        return refresh();
      },
    }),
  );
  const close = () => {
    change.reset();
    onClose();
  };
  const reload = () => {
    close();
    void refresh();
  };
  return { change, close, reload };
}

function Consequences({ action }: { action: OwnerAction }) {
  const { does, leaves } = WHAT[action];
  return (
    <>
      <Text size="sm" fw={600}>
        What happens
      </Text>
      <List size="sm" spacing={4}>
        {does.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      <Text size="sm" fw={600}>
        What does not
      </Text>
      <List size="sm" spacing={4}>
        {leaves.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </>
  );
}
