'use client';

import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Endpoint } from '../../../../_components/api-types';
import { plural } from '../../../../_components/format';
import { FormEnd, Points, Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { useRefresh } from './use-refresh';

type Props = { applicationId: string; endpoint: Endpoint; onCancel: () => void };

/** Pauses the endpoint after a confirmation that explains the effects. */
export function PauseForm({ applicationId, endpoint, onCancel }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const pause = useMutation(
    trpc.webhooks.pause.mutationOptions({
      onSuccess: async () => {
        await refresh();
        notifications.show({ message: 'Endpoint paused. Events are held.' });
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
          `Only test events will be sent. ${plural(endpoint.pending, 'pending delivery', 'pending deliveries')} will be held. Attempts in progress will finish.`,
          'Deliveries cannot be replayed while the endpoint is paused.',
        ]}
      />
      <Points
        title="What does not change"
        points={[
          'You can still send test events. If the receiver responds to a test event with 410 Gone, the endpoint is disabled.',
          'Bookings are not affected. Their events are held for at least 30 days.',
          'Held deliveries keep their remaining attempts and are sent, oldest first, when you resume the endpoint.',
        ]}
      />
      <Problem error={pause.error} />
      <FormEnd
        verb="Pause endpoint"
        danger
        busy={pause.isPending}
        onCancel={onCancel}
        onGo={() => pause.mutate({ application_id: applicationId })}
      />
    </Stack>
  );
}
