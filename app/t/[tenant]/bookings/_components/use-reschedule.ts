'use client';

import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../_components/trpc';

/** Returns the mutation that reschedules a booking. `onDone` is called when the pages show the new state. */
export function useReschedule(onDone: () => void) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.bookings.pathKey() });
  const move = useMutation(
    trpc.bookings.reschedule.mutationOptions({
      // The dialog stays open until the new version is loaded. Otherwise, the next action would send the old version.
      onSuccess: async () => {
        await refresh();
        onDone();
        notifications.show({ message: 'Booking rescheduled.' });
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

const UNAVAILABLE: Record<string, string> = {
  slot_taken: 'This time was just taken. Select another time.',
  same_slot: 'The booking is already at this time. Select another time.',
};

type Failure = { message: string; data?: { reason?: string | null; code?: string } | null };

/** Returns the error message for a failed reschedule. */
export function problemOf({ message, data }: Failure): string {
  if (data?.code === 'version_conflict')
    return `${message} The booking was not rescheduled. Reload the booking and try again.`;
  return UNAVAILABLE[data?.reason ?? ''] ?? `${message} Select another time.`;
}
