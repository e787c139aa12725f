'use client';

import { Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { Part } from './part';

/** Switches the names of customers in lists and schedules on and off. A dialog states the effect first. */
export function NamesSection() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [opened, setOpened] = useState(false);
  const names = useQuery(trpc.privacy.names.queryOptions());
  const save = useMutation(
    trpc.privacy.set_names.mutationOptions({
      onSuccess: ({ shown }) => {
        setOpened(false);
        notifications.show({ message: `Customer names are ${shown ? 'shown' : 'hidden'}.` });
        void queries.invalidateQueries({ queryKey: trpc.bookings.names_shown.queryKey() });
        return queries.invalidateQueries({ queryKey: trpc.privacy.names.queryKey() });
      },
    }),
  );
  if (names.isError) return <ErrorState error={names.error} retry={() => void names.refetch()} />;
  if (!names.data) return <LoadingRows rows={1} height={120} />;
  const { shown } = names.data;
  const close = () => {
    save.reset();
    setOpened(false);
  };
  return (
    <Part title="Customer names">
      <Text size="sm">
        Owners and the front desk see the names of customers in Bookings, in the schedules, in print, and in today’s
        bookings, and find bookings by name. Otherwise, a name is shown only on the page of its booking. Each view is
        recorded in the audit log. Support and partners never see names.
      </Text>
      <Switch label="Show customer names" checked={shown} onChange={() => setOpened(true)} />
      <ConfirmDialog
        title={shown ? 'Hide customer names?' : 'Show customer names?'}
        opened={opened}
        onClose={close}
        action={shown ? 'Hide names' : 'Show names'}
        busy={save.isPending}
        problem={save.error?.message ?? null}
        onConfirm={() => save.mutate({ shown: !shown })}
      >
        <Text size="sm">
          {shown
            ? 'Names disappear from lists, schedules, and print, and bookings are no longer found by name.'
            : 'All owners and the front desk then see the names of customers in lists, schedules, and print, also of bookings of partners.'}
        </Text>
      </ConfirmDialog>
    </Part>
  );
}
