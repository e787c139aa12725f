'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Inputs, Outputs } from '../api-types';
import { useTRPC, useTRPCClient } from '../trpc';
import { showUndo } from '../undo';
import { useDone } from '../use-done';

export type CalendarRecord = Outputs['calendars']['list'][number];
export type CalendarSubject = Inputs['calendars']['list'];

/** Returns the changes of calendars that need no form. After a removal, a message offers Undo. */
export function useCalendarChanges() {
  const t = useTranslations('common.calendars');
  const trpc = useTRPC();
  const { calendars } = useTRPCClient();
  const reload = useDone(trpc.calendars, trpc.bookings);
  const remove = useMutation({
    mutationFn: ({ id }: CalendarRecord) => calendars.remove.mutate({ calendar_id: id }),
    onSuccess: async (_, { id }) => {
      showUndo(t('removed'), async () => {
        const restored = await calendars.restore.mutate({ calendar_id: id }).then(
          () => true,
          () => false,
        );
        await reload();
        return restored ? null : t('deleted');
      });
      await reload();
    },
  });
  const refresh = useMutation({
    mutationFn: ({ id }: CalendarRecord) => calendars.refresh.mutate({ calendar_id: id }),
    onSettled: () => reload(),
  });
  return { remove, refresh, reload };
}
