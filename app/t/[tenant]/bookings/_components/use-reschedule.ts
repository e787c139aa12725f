'use client';

import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import { useTRPC } from '../../_components/trpc';

/** Returns the mutation that reschedules a booking. `onDone` is called when the pages show the new state. */
export function useReschedule(onDone: () => void) {
  const t = useTranslations('bookings.reschedule');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.bookings.pathKey() });
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

type Failure = { message: string; data?: { reason?: string | null; code?: string } | null };

/** Returns the error message for a failed reschedule. */
export function problemOf(t: Translator<'bookings.reschedule'>, { message, data }: Failure): string {
  if (data?.code === 'version_conflict') return t('problems.conflict', { message });
  const reason = data?.reason;
  if (reason === 'slot_taken' || reason === 'same_slot') return t(`problems.${reason}`);
  return t('problems.other', { message });
}
