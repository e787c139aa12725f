'use client';

import { Anchor, Button, Skeleton, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';
import type { Endpoint } from '../../../../_components/api-types';
import { EmptyState, ErrorState } from '../../../../_components/states';
import { useTRPC } from '../../../../_components/trpc';
import { useGuardedDialog } from '../../../_components/use-guarded-dialog';
import { AttemptChart } from './attempt-chart';
import { Deliveries } from './deliveries';
import { EndpointCard } from './endpoint-card';
import { ReplayPanel } from './replay-panel';
import { useRefresh } from './use-refresh';
import type { WebhookAct } from './webhook-dialog';

const WebhookDialog = dynamic(() => import('./webhook-dialog').then((module) => module.WebhookDialog), { ssr: false });

/** Milliseconds between polls of the endpoint. */
const POLL_INTERVAL = 5_000;

type Props = { applicationId: string; canEdit: boolean };

/** An application's webhook: its endpoint and deliveries. */
export function WebhookSection({ applicationId, canEdit }: Props) {
  const trpc = useTRPC();
  const input = { application_id: applicationId };
  const endpoint = useQuery({ ...trpc.webhooks.get.queryOptions(input), refetchInterval: POLL_INTERVAL });
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
  const refresh = useRefresh();
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
        <Anchor component={Link} href={`/applications/${applicationId}`}>
          {t('viewPolicy')}
        </Anchor>
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

/** The empty state of an application without an endpoint. */
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
