'use client';

import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '../../../../_components/trpc';
import { FormEnd, Points, Problem } from './form-end';
import { useRefresh } from './use-refresh';

type Props = { applicationId: string; number: number; onCancel: () => void };

/** Ends an older secret before its time, after saying what stops. */
export function EndSecretForm({ applicationId, number, onCancel }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const end = useMutation(
    trpc.webhooks.end_secret.mutationOptions({
      onSuccess: async () => {
        await refresh();
        notifications.show({ message: `Secret ${number} has ended.` });
        onCancel();
      },
      onError: () => void refresh(),
    }),
  );
  return (
    <Stack>
      <Points
        title="What stops"
        points={[
          `Secret ${number} signs no attempt that begins from now on, and cannot be brought back. One that is under way ends as it began.`,
          'A receiver that has only this secret refuses events until it has a newer one.',
        ]}
      />
      <Points
        title="What does not"
        points={[
          'The current secret and any others sign on.',
          'Nothing is paused, no delivery is lost: what a receiver refuses is tried again.',
          'A receiver that still has this secret goes on accepting what is signed with it: have it removed there too.',
        ]}
      />
      <Problem error={end.error} />
      <FormEnd
        verb="End the secret"
        danger
        busy={end.isPending}
        onCancel={onCancel}
        onGo={() => end.mutate({ application_id: applicationId, number })}
      />
    </Stack>
  );
}
