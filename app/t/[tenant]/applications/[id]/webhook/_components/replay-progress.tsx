'use client';

import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import type { Replay } from '../../../../_components/api-types';
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
  const t = useTranslations('webhooks.progress');
  const made = replay.total - replay.waiting;
  return (
    <Stack gap={6}>
      <Progress
        aria-label={t('label')}
        value={replay.total === 0 ? 100 : (made / replay.total) * 100}
        color={replay.stopped_at ? 'gray' : undefined}
      />
      <Text size="sm" role="status">
        {progressText(t, replay, active)}
      </Text>
      <Text size="xs" c="dimmed">
        {t.rich('started', {
          created: () => <Time value={replay.created_at} options={SHORT_TIME} />,
          since: () => <Time value={replay.since} options={SHORT_TIME} />,
        })}
      </Text>
      {canEdit && isRunning(replay) && !replay.stopped_at && <Stop applicationId={applicationId} id={replay.id} />}
    </Stack>
  );
}

/** The button that asks for confirmation and then stops a replay. */
function Stop({ applicationId, id }: { applicationId: string; id: string }) {
  const t = useTranslations('webhooks.progress');
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const stop = useMutation(
    trpc.webhooks.replay_stop.mutationOptions({
      onSuccess: () => notifications.show({ message: t('stopped') }),
      onError: (error) => notifications.show({ color: 'red', message: error.message }),
      onSettled: refresh,
    }),
  );
  if (!asking) {
    return (
      <Group>
        <Button variant="default" size="compact-sm" onClick={() => setAsking(true)}>
          {t('stop')}
        </Button>
      </Group>
    );
  }
  return (
    <Alert color="yellow" title={t('stopTitle')}>
      <Stack gap="sm">
        <Text size="sm">{t('stopText')}</Text>
        <Group gap="xs">
          <Button
            size="xs"
            color="red.9"
            autoFocus
            loading={stop.isPending}
            onClick={() => stop.mutate({ application_id: applicationId, replay_id: id })}
          >
            {t('stop')}
          </Button>
          <Button size="xs" variant="default" onClick={() => setAsking(false)}>
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function progressText(t: Translator<'webhooks.progress'>, replay: Replay, active: boolean): string {
  const { total, waiting, succeeded, stopped_at } = replay;
  if (stopped_at) return t('wasStopped', { total, succeeded });
  if (waiting === 0) return t('done', { total, succeeded });
  return t(active ? 'running' : 'waits', { total, waiting, succeeded });
}
