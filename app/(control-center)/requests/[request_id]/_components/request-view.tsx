'use client';

import { Alert, Anchor, Grid, Paper, Skeleton, Stack, Title } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { EmptyState, ErrorState } from '../../../_components/states';
import { useTRPC } from '../../../_components/trpc';
import type { RequestDetail } from '../../_components/types';
import { EventList } from './event-list';
import { Explanation } from './explanation';
import { Facts } from './facts';
import { Headline } from './headline';
import { RelatedList } from './related-list';
import { SupportBlock } from './support-block';

/** Everything about one request. */
export function RequestView({ requestId }: { requestId: string }) {
  const trpc = useTRPC();
  const request = useQuery(trpc.requests.get.queryOptions({ request_id: requestId }));
  if (request.isPending) return <Waiting />;
  if (!request.isError) return <Request request={request.data} />;
  // What is written like no id is none of ours either.
  if (['not_found', 'invalid_request'].includes(request.error.data?.code ?? '')) return <NotFound />;
  return <ErrorState error={request.error} retry={() => void request.refetch()} />;
}

function Request({ request }: { request: RequestDetail }) {
  return (
    <Stack gap="md">
      <Headline request={request} />
      {request.application === null && (
        <Alert
          color="gray"
          variant="default"
          bg="var(--app-surface)"
          icon={<IconInfoCircle aria-hidden />}
          title="A request of nobody"
        >
          It came without a key of this Control Center, so it belongs to no application. Such a request is found by its
          exact id only, and the address it came from is not kept.
        </Alert>
      )}
      <Explanation request={request} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Section title="What was logged">
            <Facts request={request} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="md">
            <Section title="For a support request">
              <SupportBlock text={request.support_text} />
            </Section>
            <Section title="Events and deliveries it caused">
              <EventList events={request.events} applicationId={request.application?.id ?? null} />
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
      <Section title="Replays and other requests with the same idempotency key">
        <RelatedList request={request} />
      </Section>
    </Stack>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper component="section" withBorder p="md" bg="var(--app-surface)">
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

function NotFound() {
  return (
    <EmptyState
      title="No request with this id"
      action={
        <Anchor component={Link} href="/requests">
          All requests
        </Anchor>
      }
    >
      Compare the id with the X-Request-Id of the answer. Requests are kept for 30 days, and each environment has its
      own: perhaps this one went to the other.
    </EmptyState>
  );
}

function Waiting() {
  return (
    <Stack gap="md" role="status" aria-label="Loading" aria-busy="true">
      <Skeleton height={62} radius="md" />
      <Skeleton height={420} radius="md" />
      <Skeleton height={120} radius="md" />
    </Stack>
  );
}
