'use client';

import {
  Alert,
  Anchor,
  Box,
  Button,
  CopyButton,
  Grid,
  Group,
  Paper,
  Skeleton,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconCheck, IconCopy, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import { EmptyState, ErrorState } from '../../../_components/states';
import { Time } from '../../../_components/time/time';
import { useTRPC } from '../../../_components/trpc';
import { curlOf } from '../../_components/curl';
import { formatDuration, shortRoute } from '../../_components/format';
import styles from '../../_components/requests.module.css';
import { StatusCode } from '../../_components/status-code';
import type { RequestDetail } from '../../_components/types';
import { EventList } from './event-list';
import { Explanation } from './explanation';
import { LogEntry } from './log-entry';
import { RelatedList } from './related-list';

/**
 * Shows one request with its log entry, its events, and related requests. `origin` is the public origin of the
 * deployment.
 */
export function RequestView({ requestId, origin }: { requestId: string; origin: string }) {
  const trpc = useTRPC();
  const request = useQuery(trpc.requests.get.queryOptions({ request_id: requestId }));
  if (request.isPending) return <Loading />;
  if (!request.isError) return <Request request={request.data} origin={origin} />;
  // The page handles a malformed ID in the same way as an unknown ID.
  if (['not_found', 'invalid_request'].includes(request.error.data?.code ?? '')) return <NotFound />;
  return <ErrorState error={request.error} retry={() => void request.refetch()} />;
}

function Request({ request, origin }: { request: RequestDetail; origin: string }) {
  const t = useTranslations('requests.detail');
  return (
    <Stack gap="md">
      <Headline request={request} />
      {request.application === null && (
        <Alert
          color="gray"
          variant="default"
          bg="var(--app-surface)"
          icon={<IconInfoCircle aria-hidden />}
          title={t('unauthenticated.title')}
        >
          {t('unauthenticated.text')}
        </Alert>
      )}
      <Explanation request={request} />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Section title={t('logEntry')}>
            <LogEntry request={request} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="md">
            <Section title={t('support')}>
              <SupportBlock text={request.support_text} curl={curlOf(request, origin)} />
            </Section>
            <Section title={t('events')}>
              <EventList events={request.events} applicationId={request.application?.id ?? null} />
            </Section>
          </Stack>
        </Grid.Col>
      </Grid>
      <Section title={t('sameKey')}>
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
  const t = useTranslations('requests.detail');
  return (
    <EmptyState
      title={t('notFound.title')}
      action={
        <Anchor component={Link} href="/requests">
          {t('notFound.all')}
        </Anchor>
      }
    >
      {t('notFound.text')}
    </EmptyState>
  );
}

function Loading() {
  const t = useTranslations('requests.detail');
  return (
    <Stack gap="md" role="status" aria-label={t('loading')} aria-busy="true">
      <Skeleton height={62} radius="md" />
      <Skeleton height={420} radius="md" />
      <Skeleton height={120} radius="md" />
    </Stack>
  );
}

/** One line with the status, the route, the code, and the time of a request. */
function Headline({ request }: { request: RequestDetail }) {
  const t = useTranslations('requests.detail');
  const format = useFormats();
  const { status, code, reason, method, route, at, duration_ms: duration } = request;
  return (
    <Paper withBorder p="md" bg="var(--app-surface)">
      <Group gap="6px 24px">
        <Text component="span" size="lg">
          <StatusCode status={status} />
        </Text>
        <Text component="span" ff="monospace" size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {method} {route ? shortRoute(route) : t('unknownRoute')}
        </Text>
        {code && (
          <Text component="span" ff="monospace" size="sm">
            {code}
            {reason && <span className={styles.dimmed}> · {reason}</span>}
          </Text>
        )}
        <Text component="span" size="sm" c="dimmed">
          <Time value={at} /> · {formatDuration(duration, format)}
        </Text>
      </Group>
    </Paper>
  );
}

/** Text to send to support, and a curl command. Neither contains secrets or contact details. */
function SupportBlock({ text, curl }: { text: string; curl: string | null }) {
  const t = useTranslations('requests.detail');
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm" c="dimmed">
        {t('supportText')}
      </Text>
      <Box component="pre" className={styles.support} w="100%">
        {text}
      </Box>
      <Group gap="xs">
        <Copy text={text} label={t('copySupport')} />
        {curl !== null && <Copy text={curl} label={t('copyCurl')} />}
      </Group>
    </Stack>
  );
}

function Copy({ text, label }: { text: string; label: string }) {
  const t = useTranslations('requests.detail');
  return (
    <CopyButton value={text} timeout={1500}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          onClick={copy}
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
        >
          {copied ? t('copied') : label}
        </Button>
      )}
    </CopyButton>
  );
}
