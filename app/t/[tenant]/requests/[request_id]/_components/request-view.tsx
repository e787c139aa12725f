'use client';

import {
  Alert,
  Box,
  Button,
  Code,
  CopyButton,
  Grid,
  Group,
  Paper,
  Skeleton,
  Stack,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import { IconCheck, IconCopy, IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import { CopyValue, Id } from '../../../_components/id';
import { Panel } from '../../../_components/panel';
import { EmptyState, ErrorState } from '../../../_components/states';
import { DataTable } from '../../../_components/tables/data-table';
import { Fact, Facts } from '../../../_components/tables/facts';
import { Table } from '../../../_components/tables/table';
import { Time } from '../../../_components/time/time';
import { useTRPC } from '../../../_components/trpc';
import { deliveryHref } from '../../../applications/[id]/webhook/_components/query';
import { DeliveryStateBadge } from '../../../applications/[id]/webhook/_components/state';
import { bookingHref } from '../../../bookings/_components/query';
import { curlOf } from '../../_components/curl';
import { formatDuration, shortRoute } from '../../_components/format';
import { requestHref, requestsHref } from '../../_components/query';
import styles from '../../_components/requests.module.css';
import { StatusCode } from '../../_components/status-code';
import type { RequestDetail } from '../../_components/types';
import { Explanation } from './explanation';

/** `origin` is the public origin of the deployment. */
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
          <Panel gap="sm" title={t('logEntry')}>
            <LogEntry request={request} />
          </Panel>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="md">
            <Panel gap="sm" title={t('support')}>
              <SupportBlock text={request.support_text} curl={curlOf(request, origin)} />
            </Panel>
            <Panel gap="sm" title={t('events')}>
              <EventList events={request.events} applicationId={request.application?.id ?? null} />
            </Panel>
          </Stack>
        </Grid.Col>
      </Grid>
      <Panel gap="sm" title={t('sameKey')}>
        <RelatedList request={request} />
      </Panel>
    </Stack>
  );
}

function NotFound() {
  const t = useTranslations('requests.detail');
  return (
    <EmptyState
      title={t('notFound.title')}
      action={
        <TextLink href="/requests" size="md">
          {t('notFound.all')}
        </TextLink>
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
      <Hint>{t('supportText')}</Hint>
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

type Event = RequestDetail['events'][number];
type Props = { events: Event[]; applicationId: string | null };

function EventList({ events, applicationId }: Props) {
  const t = useTranslations('requests.events');
  if (events.length === 0) {
    return <Hint>{t('none')}</Hint>;
  }
  return (
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {events.map(({ id, type, version, at, delivery }) => (
        <li key={id}>
          <Text size="sm">
            <span className={styles.mono}>{type}</span>
            {version !== null && ` · ${t('version', { version: `${version}` })}`}
          </Text>
          <Group gap="xs">
            <Id value={id} what={t('eventId')} />
            <Hint>
              <Time value={at} />
            </Hint>
          </Group>
          <Delivery type={type} delivery={delivery} applicationId={applicationId} />
        </li>
      ))}
    </Stack>
  );
}

function Delivery({ type, delivery, applicationId }: Pick<Event, 'type' | 'delivery'> & Omit<Props, 'events'>) {
  const t = useTranslations('requests.events');
  if (!delivery || applicationId === null) {
    return <Hint>{t('noDelivery')}</Hint>;
  }
  return (
    <Group gap="xs">
      <DeliveryStateBadge state={delivery.state} />
      <Hint>{t('attempts', { attempts: `${delivery.attempts}`, max: `${delivery.max_attempts}` })}</Hint>
      <TextLink href={deliveryHref(applicationId, delivery.id)}>
        {t.rich('viewDelivery', { type, hidden: (chunks) => <VisuallyHidden>{chunks}</VisuallyHidden> })}
      </TextLink>
    </Group>
  );
}

const COLUMNS = ['time', 'relation', 'route', 'status', 'code'] as const;

function RelatedList({ request }: { request: RequestDetail }) {
  const t = useTranslations('requests');
  if (request.related.length === 0) return <NoRelated request={request} />;
  return (
    <DataTable
      caption={t('related.caption')}
      label={t('related.label')}
      minWidth={680}
      columns={COLUMNS.map((name) => t(`table.${name}`))}
    >
      {request.related.map((one) => (
        <Table.Tr key={one.request_id}>
          <Table.Td data-label={t('table.time')} data-wide>
            <TextLink href={requestHref(one.request_id)}>
              <Time value={one.at} />
              <VisuallyHidden>, {t(`related.relations.${one.relation}`)}</VisuallyHidden>
            </TextLink>
          </Table.Td>
          <Table.Td data-label={t('table.relation')}>{t(`related.relations.${one.relation}`)}</Table.Td>
          <Table.Td data-label={t('table.route')} data-wide className={styles.mono}>
            {one.method} {one.route && shortRoute(one.route)}
          </Table.Td>
          <Table.Td data-label={t('table.status')}>
            <StatusCode status={one.status} />
          </Table.Td>
          <Table.Td data-label={t('table.code')} className={styles.mono}>
            {one.reason ?? one.code ?? '–'}
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function NoRelated({ request }: { request: RequestDetail }) {
  const t = useTranslations('requests.related');
  const reason = request.replayed_from ? t('originalGone') : request.had_idempotency_key ? t('noOther') : t('noKey');
  return <Hint>{reason}</Hint>;
}

function LogEntry({ request }: { request: RequestDetail }) {
  const t = useTranslations('requests.log');
  const column = useTranslations('requests.table');
  const format = useFormats();
  const { application, key, replayed_from: original } = request;
  return (
    <Facts>
      <LogField name={t('utc')}>{request.at.replace('T', ' ').replace('Z', ' UTC')}</LogField>
      <LogField name={column('method')}>{request.method}</LogField>
      <LogField name={column('route')}>{request.route ?? t('unknownRoute')}</LogField>
      {request.path !== request.route && <LogField name={t('path')}>{request.path ?? t('noPath')}</LogField>}
      <LogField name={column('status')}>{request.status}</LogField>
      <LogField name={column('code')}>{request.code}</LogField>
      <LogField name={t('reason')}>{request.reason}</LogField>
      <LogField name={t('invalidFields')}>{request.invalid_fields.join(', ')}</LogField>
      <LogField name={column('duration')}>{formatDuration(request.duration_ms, format)}</LogField>
      <LogField name={column('application')}>
        {application && <TextLink href={`/applications/${application.id}`}>{application.name}</TextLink>}
      </LogField>
      <LogField name={column('key')}>
        {key && (
          <TextLink href={requestsHref({ key: key.id })}>
            {key.name} ({key.prefix}…{key.last_four})
          </TextLink>
        )}
      </LogField>
      <LogField name={t('address')}>{request.address}</LogField>
      <LogField name={t('origin')}>{request.origin}</LogField>
      <LogField name={t('userAgent')}>{request.user_agent}</LogField>
      <LogField name={t('idempotencyKey')}>{request.had_idempotency_key ? t('hashed') : null}</LogField>
      <LogField name={t('replayOf')}>
        {original && <TextLink href={requestHref(original)}>{original}</TextLink>}
      </LogField>
      <Reference name={t('booking')} value={request.booking_reference} />
      <Reference name={t('external')} value={request.external_reference} />
    </Facts>
  );
}

function LogField({ name, children }: { name: string; children: ReactNode }) {
  const isMissing = children === null || children === undefined || children === '';
  return isMissing ? null : <Fact name={name}>{children}</Fact>;
}

function Reference({ name, value }: { name: string; value: string | null }) {
  const t = useTranslations('requests.log');
  if (value === null) return <LogField name={name}>{null}</LogField>;
  return (
    <LogField name={name}>
      <Group gap="xs">
        {value.startsWith('pbr_') ? (
          <>
            <Id value={value} what={t('bookingReference')} />
            <TextLink href={bookingHref(value)}>{t('viewBooking')}</TextLink>
          </>
        ) : (
          <Group gap={4}>
            <Code>{value}</Code>
            <CopyValue value={value} label={t('copyExternal')} />
          </Group>
        )}
        <TextLink href={requestsHref({ reference: value, period: '30d' })}>{t('withReference')}</TextLink>
      </Group>
    </LogField>
  );
}
