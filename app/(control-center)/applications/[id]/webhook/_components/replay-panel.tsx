'use client';

import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Endpoint } from '../../../../_components/api-types';
import { useTRPC } from '../../../../_components/trpc';
import { isRunning, ReplayProgress } from './replay-progress';
import type { WebhookAct } from './webhook-dialog';

/** Milliseconds between looks: while a replay runs, and otherwise. */
const LOOK_SOON = 1_000;
const LOOK_EVERY = 15_000;

type Props = { applicationId: string; endpoint: Endpoint; canEdit: boolean; onAct: (act: WebhookAct) => void };

/** Sending again what failed: the way to start it, and how far the newest one is. */
export function ReplayPanel({ applicationId, endpoint, canEdit, onAct }: Props) {
  const trpc = useTRPC();
  const replay = useQuery({
    ...trpc.webhooks.replay_progress.queryOptions({ application_id: applicationId }),
    refetchInterval: ({ state: { data } }) => (data && isRunning(data) ? LOOK_SOON : LOOK_EVERY),
  });
  const running = replay.data ? isRunning(replay.data) : false;
  const active = endpoint.state === 'active';
  if (!canEdit && !replay.data) return null;
  return (
    <Paper component="section" withBorder p="lg" bg="var(--app-surface)" aria-labelledby="replay">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Title id="replay" order={2} size="h4">
            Replay
          </Title>
          {canEdit && (
            <Button
              variant="default"
              size="xs"
              disabled={!active || running}
              aria-describedby="replay-note"
              onClick={() => onAct({ kind: 'replay' })}
            >
              Replay failed since …
            </Button>
          )}
        </Group>
        <Text id="replay-note" size="sm" c="dimmed">
          {noteOf(active, running)}
        </Text>
        {replay.data && (
          <ReplayProgress applicationId={applicationId} replay={replay.data} canEdit={canEdit} active={active} />
        )}
      </Stack>
    </Paper>
  );
}

function noteOf(active: boolean, running: boolean): string {
  if (!active) return 'Nothing can be replayed while the endpoint is not active: make it active again first.';
  return running
    ? 'One replay at a time: the next can begin when this one is over.'
    : 'Sends deliveries once more whose attempts are used up, once the receiver is well again.';
}
