'use client';

import { Anchor, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useRef } from 'react';
import type { Endpoint } from '../../../../_components/api-types';
import { EmptyState, ErrorState } from '../../../../_components/states';
import { useTRPC } from '../../../../_components/trpc';
import { useGuardedDialog } from '../../../_components/use-guarded-dialog';
import { Deliveries } from './deliveries';
import { EndpointCard } from './endpoint-card';
import { NoEndpoint } from './no-endpoint';
import { ReplayPanel } from './replay-panel';
import { useRefresh } from './use-refresh';
import { type WebhookAct, WebhookDialog } from './webhook-dialog';

/** Milliseconds between looks at the endpoint: it can be disabled while somebody watches. */
const LOOK_EVERY = 5_000;

type Props = { applicationId: string; canEdit: boolean };

/** The webhook of an application: its endpoint, and what was delivered. */
export function WebhookSection({ applicationId, canEdit }: Props) {
  const trpc = useTRPC();
  const input = { application_id: applicationId };
  const endpoint = useQuery({ ...trpc.webhooks.get.queryOptions(input), refetchInterval: LOOK_EVERY });
  if (endpoint.error?.data?.code === 'not_found') return <NoSection applicationId={applicationId} />;
  if (endpoint.isError && !endpoint.data) {
    return <ErrorState error={endpoint.error} retry={() => void endpoint.refetch()} />;
  }
  if (endpoint.data === undefined) return <Waiting />;
  return (
    <Content
      applicationId={applicationId}
      canEdit={canEdit}
      endpoint={endpoint.data}
      // When it came, by this machine's clock.
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
          <ReplayPanel applicationId={applicationId} endpoint={endpoint} canEdit={canEdit} onAct={dialog.open} />
          <Deliveries applicationId={applicationId} endpoint={endpoint} canEdit={canEdit} />
        </>
      ) : (
        <NoEndpoint canEdit={canEdit} onCreate={() => dialog.open({ kind: 'create' })} />
      )}
      {canEdit && <WebhookDialog applicationId={applicationId} endpoint={endpoint} dialog={dialog} />}
    </Stack>
  );
}

function NoSection({ applicationId }: { applicationId: string }) {
  return (
    <EmptyState
      title="This application has no webhook"
      action={
        <Anchor component={Link} href={`/applications/${applicationId}`}>
          Open its policy
        </Anchor>
      }
    >
      Its policy does not have the scope webhooks.manage. An endpoint that it had before is paused: events are held for
      at least 30 days and sent once the scope is back.
    </EmptyState>
  );
}

function Waiting() {
  return (
    <Stack gap="lg" role="status" aria-label="Loading" aria-busy="true">
      <Skeleton height={300} radius="md" />
      <Skeleton height={380} radius="md" />
    </Stack>
  );
}
