'use client';

import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Replay } from '../../../../_components/api-types';
import { formatCount, plural } from '../../../../_components/format';
import { SHORT_TIME } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { useTRPC } from '../../../../_components/trpc';
import { useRefresh } from './use-refresh';

/** Returns whether a replay still has deliveries to send. */
export function isRunning({ waiting }: Replay): boolean {
  return waiting > 0;
}

type Props = { applicationId: string; replay: Replay; canEdit: boolean; active: boolean };

/** A replay's progress, with a button to stop it. */
export function ReplayProgress({ applicationId, replay, canEdit, active }: Props) {
  const made = replay.total - replay.waiting;
  return (
    <Stack gap={6}>
      <Progress
        aria-label="Replay progress"
        value={replay.total === 0 ? 100 : (made / replay.total) * 100}
        color={replay.stopped_at ? 'gray' : undefined}
      />
      <Text size="sm" role="status">
        {progressText(replay, active)}
      </Text>
      <Text size="xs" c="dimmed">
        Started <Time value={replay.created_at} options={SHORT_TIME} />, for failed deliveries created since{' '}
        <Time value={replay.since} options={SHORT_TIME} />
      </Text>
      {canEdit && isRunning(replay) && !replay.stopped_at && <Stop applicationId={applicationId} id={replay.id} />}
    </Stack>
  );
}

/** The button that asks for confirmation and then stops a replay. */
function Stop({ applicationId, id }: { applicationId: string; id: string }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const stop = useMutation(
    trpc.webhooks.replay_stop.mutationOptions({
      onSuccess: () => notifications.show({ message: 'Replay stopped.' }),
      onError: (error) => notifications.show({ color: 'red', message: error.message }),
      onSettled: refresh,
    }),
  );
  if (!asking) {
    return (
      <Group>
        <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
          Stop replay
        </Button>
      </Group>
    );
  }
  return (
    <Alert color="yellow" title="Stop replay?">
      <Stack gap="sm">
        <Text size="sm">
          Failed deliveries that this replay has not sent yet stay failed. Attempts in progress finish. New events are
          sent as usual. You can start another replay later.
        </Text>
        <Group gap="xs">
          <Button
            size="xs"
            color="red.9"
            autoFocus
            loading={stop.isPending}
            onClick={() => stop.mutate({ application_id: applicationId, replay_id: id })}
          >
            Stop replay
          </Button>
          <Button size="xs" variant="default" onClick={() => setAsking(false)}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function progressText({ total, waiting, succeeded, stopped_at }: Replay, active: boolean): string {
  const whole = plural(total, 'delivery', 'deliveries');
  if (stopped_at) return `Stopped: ${formatCount(succeeded)} of ${whole} succeeded. The others stay failed.`;
  if (waiting === 0) return `Done: ${formatCount(succeeded)} of ${whole} succeeded.`;
  const left = `${formatCount(waiting)} of ${whole} waiting, ${formatCount(succeeded)} succeeded`;
  return active ? `${left}.` : `${left}. The replay continues when the endpoint is active again.`;
}
