'use client';

import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import type { Endpoint } from '../../../../_components/api-types';
import { useTRPC } from '../../../../_components/trpc';
import { isRunning, ReplayProgress } from './replay-progress';
import type { WebhookAct } from './webhook-dialog';

/** Milliseconds between polls of the newest replay. `POLL_SOON` applies during a replay, `POLL_INTERVAL` otherwise. */
const POLL_SOON = 1_000;
const POLL_INTERVAL = 15_000;

type Props = { applicationId: string; endpoint: Endpoint; canEdit: boolean; onAct: (act: WebhookAct) => void };

/** Starts a replay of failed deliveries, and shows the progress of the newest replay. */
export function ReplayPanel({ applicationId, endpoint, canEdit, onAct }: Props) {
  const t = useTranslations('webhooks.replay');
  const trpc = useTRPC();
  const replay = useQuery({
    ...trpc.webhooks.replay_progress.queryOptions({ application_id: applicationId }),
    refetchInterval: ({ state: { data } }) => (data && isRunning(data) ? POLL_SOON : POLL_INTERVAL),
  });
  const running = replay.data ? isRunning(replay.data) : false;
  const active = endpoint.state === 'active';
  // Nothing was replayed, and nothing can be.
  if (!replay.data && !(canEdit && endpoint.failed > 0)) return null;
  return (
    <Paper component="section" withBorder p="lg" bg="var(--app-surface)" aria-labelledby="replay">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Title id="replay" order={2} size="h4">
            {t('title')}
          </Title>
          {canEdit && (
            <Button
              variant="default"
              size="xs"
              disabled={!active || running}
              aria-describedby="replay-note"
              onClick={() => onAct({ kind: 'replay' })}
            >
              {t('failed')}
            </Button>
          )}
        </Group>
        <Text id="replay-note" size="sm" c="dimmed">
          {noteOf(t, active, running)}
        </Text>
        {replay.data && (
          <ReplayProgress applicationId={applicationId} replay={replay.data} canEdit={canEdit} active={active} />
        )}
      </Stack>
    </Paper>
  );
}

function noteOf(t: Translator<'webhooks.replay'>, active: boolean, running: boolean): string {
  if (!active) return t('onlyActive');
  return running ? t('oneAtATime') : t('recovered');
}
