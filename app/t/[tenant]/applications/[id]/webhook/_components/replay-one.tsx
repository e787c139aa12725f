'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { DeliveryDetail } from '../../../../_components/api-types';
import { Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { useRefresh } from './use-refresh';

type Props = { applicationId: string; delivery: DeliveryDetail; active: boolean };

/** Replays one delivery after a confirmation. */
export function ReplayOne({ applicationId, delivery, active }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const replay = useMutation(
    trpc.webhooks.replay.mutationOptions({
      onSuccess: () => {
        setAsking(false);
        return refresh();
      },
      onError: () => void refresh(),
    }),
  );
  const reason = blockedReason(delivery, active);
  const input = { application_id: applicationId, delivery_id: delivery.id };
  if (reason) {
    return (
      <Text size="sm" c="dimmed" role="status">
        {reason}
      </Text>
    );
  }
  if (!asking) {
    return (
      <Group>
        <Button variant="default" size="xs" onClick={() => setAsking(true)}>
          Replay
        </Button>
      </Group>
    );
  }
  return (
    <Alert color="gray" title="Replay this delivery?">
      <Stack gap="sm">
        <Text size="sm">
          This makes one attempt now. The event ID stays the same, and the attempt number goes up by one.{' '}
          {delivery.state === 'succeeded' && 'The receiver already has this event and should recognize the ID. '}
          {delivery.state === 'pending'
            ? 'The scheduled retries continue.'
            : 'If the attempt fails, it is not retried.'}
        </Text>
        <Problem error={replay.error} />
        <Group gap="xs">
          <Button size="xs" loading={replay.isPending} onClick={() => replay.mutate(input)} data-autofocus autoFocus>
            Replay now
          </Button>
          <Button size="xs" variant="default" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function blockedReason({ type, under_way, manual_requested }: DeliveryDetail, active: boolean): string | null {
  if (type === 'webhook.test') return 'Test events cannot be replayed. Send another test event instead.';
  if (!active) return 'Deliveries can be replayed only while the endpoint is active.';
  if (under_way) return 'An attempt is in progress. You can replay the delivery after the attempt ends.';
  return manual_requested ? 'The replay starts in a moment.' : null;
}
