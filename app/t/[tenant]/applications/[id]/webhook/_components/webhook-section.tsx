'use client';

import { Button, Group, Paper, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { Translator } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import type { Endpoint, Replay } from '../../../../_components/api-types';
import { EmptyState, ErrorState } from '../../../../_components/states';
import { SHORT_TIME } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { useTRPC } from '../../../../_components/trpc';
import { useDone } from '../../../../_components/use-done';
import { useGuardedDialog } from '../../../_components/secret-dialog';
import { AskInPlace } from './ask-in-place';
import { AttemptChart } from './attempt-chart';
import { Deliveries } from './deliveries';
import { EndpointCard } from './endpoint-card';
import type { WebhookAct } from './webhook-dialog';

const WebhookDialog = dynamic(() => import('./webhook-dialog').then((module) => module.WebhookDialog), { ssr: false });

const POLL_MS = 5_000;

type Props = { applicationId: string; canEdit: boolean };

/** An application's webhook: its endpoint and deliveries. */
export function WebhookSection({ applicationId, canEdit }: Props) {
  const trpc = useTRPC();
  const input = { application_id: applicationId };
  const endpoint = useQuery({ ...trpc.webhooks.get.queryOptions(input), refetchInterval: POLL_MS });
  if (endpoint.error?.data?.code === 'not_found') return <NotEnabled applicationId={applicationId} />;
  if (endpoint.isError && !endpoint.data) {
    return <ErrorState error={endpoint.error} retry={() => void endpoint.refetch()} />;
  }
  if (endpoint.data === undefined) return <Waiting />;
  return (
    <Content
      applicationId={applicationId}
      canEdit={canEdit}
      endpoint={endpoint.data}
      // The time at which the endpoint was loaded, according to the browser's clock, in milliseconds since the Unix
      // epoch.
      at={endpoint.dataUpdatedAt}
    />
  );
}

type ContentProps = Props & { endpoint: Endpoint | null; at: number };

function Content({ applicationId, canEdit, endpoint, at }: ContentProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const dialog = useGuardedDialog<WebhookAct, string>(heading);
  const trpc = useTRPC();
  const refresh = useDone(trpc.webhooks, trpc.overview);
  return (
    <Stack gap="lg">
      {endpoint ? (
        <>
          <EndpointCard
            applicationId={applicationId}
            endpoint={endpoint}
            at={at}
            canEdit={canEdit}
            heading={heading}
            onAct={dialog.open}
            onEnd={refresh}
          />
          <AttemptChart applicationId={applicationId} />
          <ReplayPanel applicationId={applicationId} endpoint={endpoint} canEdit={canEdit} onAct={dialog.open} />
          <Deliveries applicationId={applicationId} endpoint={endpoint} canEdit={canEdit} />
        </>
      ) : (
        <NoEndpoint canEdit={canEdit} onCreate={() => dialog.open({ kind: 'create' })} />
      )}
      <WebhookDialog applicationId={applicationId} endpoint={endpoint} dialog={dialog} />
    </Stack>
  );
}

function NotEnabled({ applicationId }: { applicationId: string }) {
  const t = useTranslations('webhooks.section');
  return (
    <EmptyState
      title={t('notEnabled')}
      action={
        <TextLink href={`/applications/${applicationId}`} size="md">
          {t('viewPolicy')}
        </TextLink>
      }
    >
      {t('notEnabledText')}
    </EmptyState>
  );
}

function Waiting() {
  const t = useTranslations('webhooks.section');
  return (
    <Stack gap="lg" role="status" aria-label={t('loading')} aria-busy="true">
      <Skeleton height={300} radius="md" />
      <Skeleton height={380} radius="md" />
    </Stack>
  );
}

function NoEndpoint({ canEdit, onCreate }: { canEdit: boolean; onCreate: () => void }) {
  const t = useTranslations('webhooks.section');
  return (
    <EmptyState
      title={t('empty')}
      action={
        canEdit && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onCreate} mt="xs">
            {t('create')}
          </Button>
        )
      }
    >
      {canEdit ? t('emptyOwner') : t('emptySupport')}
    </EmptyState>
  );
}

/** Milliseconds. `REPLAY_SOON` applies during a replay. */
/** Milliseconds between polls of the newest replay. `REPLAY_SOON` applies during a replay, `REPLAY_INTERVAL` otherwise. */
const REPLAY_SOON = 1_000;
const REPLAY_INTERVAL = 15_000;

type ReplayPanelProps = {
  applicationId: string;
  endpoint: Endpoint;
  canEdit: boolean;
  onAct: (act: WebhookAct) => void;
};

function ReplayPanel({ applicationId, endpoint, canEdit, onAct }: ReplayPanelProps) {
  const t = useTranslations('webhooks.replay');
  const trpc = useTRPC();
  const replay = useQuery({
    ...trpc.webhooks.replay_progress.queryOptions({ application_id: applicationId }),
    refetchInterval: ({ state: { data } }) => (data && isRunning(data) ? REPLAY_SOON : REPLAY_INTERVAL),
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
        <Hint id="replay-note">{noteOf(t, active, running)}</Hint>
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

function isRunning({ waiting }: Replay): boolean {
  return waiting > 0;
}

type ReplayProgressProps = { applicationId: string; replay: Replay; canEdit: boolean; active: boolean };

function ReplayProgress({ applicationId, replay, canEdit, active }: ReplayProgressProps) {
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
      <Hint size="xs">
        {t.rich('started', {
          created: () => <Time value={replay.created_at} options={SHORT_TIME} />,
          since: () => <Time value={replay.since} options={SHORT_TIME} />,
        })}
      </Hint>
      {canEdit && isRunning(replay) && !replay.stopped_at && <Stop applicationId={applicationId} id={replay.id} />}
    </Stack>
  );
}

function Stop({ applicationId, id }: { applicationId: string; id: string }) {
  const t = useTranslations('webhooks.progress');
  const trpc = useTRPC();
  const refresh = useDone(trpc.webhooks, trpc.overview);
  const stop = useMutation(
    trpc.webhooks.replay_stop.mutationOptions({
      onSuccess: () => notifications.show({ message: t('stopped') }),
      onError: (error) => notifications.show({ color: 'red', message: error.message }),
      onSettled: () => refresh(),
    }),
  );
  return (
    <AskInPlace
      button={t('stop')}
      size="compact-sm"
      title={t('stopTitle')}
      text={t('stopText')}
      verb={t('stop')}
      cancel={t('cancel')}
      danger
      busy={stop.isPending}
      onGo={() => stop.mutate({ application_id: applicationId, replay_id: id })}
    />
  );
}

function progressText(t: Translator<'webhooks.progress'>, replay: Replay, active: boolean): string {
  const { total, waiting, succeeded, stopped_at } = replay;
  if (stopped_at) return t('wasStopped', { total, succeeded });
  if (waiting === 0) return t('done', { total, succeeded });
  return t(active ? 'running' : 'waits', { total, waiting, succeeded });
}
