'use client';

import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { FormEnd, Points, Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { useRefresh } from './use-refresh';

type Props = { applicationId: string; number: number; onCancel: () => void };

/** Deactivates an older signing secret, after a confirmation that explains the effects. */
export function EndSecretForm({ applicationId, number, onCancel }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const end = useMutation(
    trpc.webhooks.end_secret.mutationOptions({
      onSuccess: async () => {
        await refresh();
        notifications.show({ message: `Secret ${number} deactivated.` });
        onCancel();
      },
      onError: () => void refresh(),
    }),
  );
  return (
    <Stack>
      <Points
        title="What changes"
        points={[
          `New attempts are no longer signed with secret ${number}. An attempt in progress is not affected. This can’t be undone.`,
          'A receiver that has only this secret rejects events until it has a newer secret.',
        ]}
      />
      <Points
        title="What does not change"
        points={[
          'The current secret and the other valid secrets still sign new attempts.',
          'No delivery is lost: rejected events are retried.',
          'A receiver that still has this secret keeps accepting events signed with the secret, including forged events. Ask the partner to remove the secret from the receiver.',
        ]}
      />
      <Problem error={end.error} />
      <FormEnd
        verb="Deactivate secret"
        danger
        busy={end.isPending}
        onCancel={onCancel}
        onGo={() => end.mutate({ application_id: applicationId, number })}
      />
    </Stack>
  );
}
