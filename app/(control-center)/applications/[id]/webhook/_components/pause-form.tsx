'use client';

import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { Endpoint } from '../../../../_components/api-types';
import { plural } from '../../../../_components/format';
import { useTRPC } from '../../../../_components/trpc';
import { FormEnd, Points, Problem } from './form-end';
import { useRefresh } from './use-refresh';

type Props = { applicationId: string; endpoint: Endpoint; onCancel: () => void };

/** Pauses, after saying what stops. */
export function PauseForm({ applicationId, endpoint, onCancel }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const pause = useMutation(
    trpc.webhooks.pause.mutationOptions({
      onSuccess: async () => {
        await refresh();
        notifications.show({ message: 'The endpoint is paused. Events are held.' });
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
          `Nothing but test events is sent any more. ${plural(endpoint.pending, 'pending delivery', 'pending deliveries')} will be held. An attempt that is under way ends by itself.`,
          'Deliveries cannot be replayed while it is paused.',
        ]}
      />
      <Points
        title="What does not"
        points={[
          'A test event may still be sent, and a 410 Gone to it disables the endpoint.',
          'Bookings go on, and each of their events is kept: for 30 days at least, shown as held.',
          'Held deliveries keep their attempts. When you resume, they are due at once, the oldest first.',
        ]}
      />
      <Problem error={pause.error} />
      <FormEnd
        verb="Pause the endpoint"
        danger
        busy={pause.isPending}
        onCancel={onCancel}
        onGo={() => pause.mutate({ application_id: applicationId })}
      />
    </Stack>
  );
}
