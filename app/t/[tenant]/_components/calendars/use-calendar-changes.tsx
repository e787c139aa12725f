'use client';

import { Button, Group } from '@mantine/core';
import { randomId } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Inputs, Outputs } from '../api-types';
import { useTRPC, useTRPCClient } from '../trpc';

export type CalendarRecord = Outputs['calendars']['list'][number];
export type CalendarSubject = Inputs['calendars']['list'];

/** Returns the changes of calendars that need no form. After a removal, a message offers Undo. */
export function useCalendarChanges() {
  const trpc = useTRPC();
  const { calendars } = useTRPCClient();
  const queries = useQueryClient();
  const reload = () =>
    Promise.all(
      [trpc.calendars, trpc.bookings].map((router) => queries.invalidateQueries({ queryKey: router.pathKey() })),
    );
  const undo = async (id: string, calendar_id: string) => {
    notifications.hide(id);
    const message = await calendars.restore.mutate({ calendar_id }).then(
      () => 'Undone.',
      () => 'Not undone: the calendar was deleted in the meantime.',
    );
    notifications.show({ message });
    await reload();
  };
  const remove = useMutation({
    mutationFn: ({ id }: CalendarRecord) => calendars.remove.mutate({ calendar_id: id }),
    onSuccess: async (_, { id: calendarId }) => {
      const id = randomId();
      const message = (
        <Group justify="space-between" wrap="nowrap">
          Calendar removed. Its times are free again.
          <Button variant="default" size="compact-sm" onClick={() => void undo(id, calendarId)}>
            Undo
          </Button>
        </Group>
      );
      notifications.show({ id, autoClose: 10_000, message });
      await reload();
    },
  });
  const refresh = useMutation({
    mutationFn: ({ id }: CalendarRecord) => calendars.refresh.mutate({ calendar_id: id }),
    onSettled: reload,
  });
  return { remove, refresh, reload };
}
