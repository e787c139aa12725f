'use client';

import {
  Alert,
  Anchor,
  Badge,
  Button,
  Code,
  Group,
  Loader,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconBan, IconCircleCheck, IconPlayerPause } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { type Translator, useFormats } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';
import type { Attempt, DeliveryDetail, Endpoint } from '../../../../_components/api-types';
import { DAY, SHORT_TIME } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { useTRPC } from '../../../../_components/trpc';
import { useDone } from '../../../../_components/use-done';
import { useUrlState } from '../../../../_components/use-url-state';
import { formatDuration } from '../../../../requests/_components/format';
import { Countdown } from '../../../_components/countdown';
import { changeQuery, deliveryHref, PARSERS } from './query';
import { EndpointState } from './state';
import type { WebhookAct } from './webhook-dialog';
import { HELD_DAYS, outcomeOf, rateText } from './words';

type Props = {
  applicationId: string;
  endpoint: Endpoint;
  /** The time at which the endpoint was loaded, according to the browser's clock, in milliseconds since the Unix epoch. */
  at: number;
  canEdit: boolean;
  heading: Ref<HTMLHeadingElement>;
  onAct: (act: WebhookAct) => void;
  onEnd: () => void;
};

/** The endpoint: URL, state, figures, signing secrets, and actions. */
export function EndpointCard({ applicationId, endpoint, at, canEdit, heading, onAct, onEnd }: Props) {
  const t = useTranslations('webhooks.card');
  const [testId, setTestId] = useState<string | null>(null);
  return (
    <Paper component="section" withBorder p="lg" bg="var(--app-surface)" aria-labelledby="endpoint">
      <Stack gap="md">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Group gap="sm">
            <Title ref={heading} id="endpoint" order={2} size="h4" tabIndex={-1}>
              {t('title')}
            </Title>
            <EndpointState state={endpoint.state} failing={endpoint.failing} />
          </Group>
          {canEdit && (
            <EndpointActions applicationId={applicationId} endpoint={endpoint} onAct={onAct} onTest={setTestId} />
          )}
        </Group>
        <Address endpoint={endpoint} whole={canEdit} />
        {endpoint.reason && <InactiveNotice endpoint={endpoint} reason={endpoint.reason} />}
        {testId && <TestResult key={testId} applicationId={applicationId} deliveryId={testId} />}
        <Figures endpoint={endpoint} />
        <SecretList
          endpoint={endpoint}
          ahead={Date.parse(endpoint.now) - at}
          canEdit={canEdit}
          onEnd={onEnd}
          onAct={onAct}
        />
      </Stack>
    </Paper>
  );
}

function Address({ endpoint, whole }: { endpoint: Endpoint; whole: boolean }) {
  const t = useTranslations('webhooks.card');
  return (
    <Stack gap={6}>
      <Code fz="sm" style={{ overflowWrap: 'anywhere', alignSelf: 'flex-start' }}>
        {endpoint.url}
      </Code>
      {!whole && <Hint size="xs">{t('onlyOwners')}</Hint>}
      <Group gap={6}>
        {endpoint.event_types.map((type) => (
          <Badge key={type} variant="default" radius="sm" tt="none" fw={500}>
            {type}
          </Badge>
        ))}
      </Group>
    </Stack>
  );
}

function InactiveNotice({ endpoint, reason }: { endpoint: Endpoint; reason: NonNullable<Endpoint['reason']> }) {
  const disabled = endpoint.state === 'disabled';
  const t = useTranslations('webhooks.card');
  const reasons = useTranslations('webhooks.reasons');
  // Shows `changed_at` only if the owner paused the endpoint or if the endpoint is disabled. Other pauses, such as
  // during a suspension of the application, do not change this time.
  const own = reason === 'owner' || disabled;
  return (
    <Alert
      color={disabled ? 'red' : 'yellow'}
      icon={disabled ? <IconBan aria-hidden /> : <IconPlayerPause aria-hidden />}
      title={reasons(`${reason}.title`)}
    >
      {own && <>{t.rich('since', { time: () => <Time value={endpoint.changed_at} options={SHORT_TIME} /> })} </>}
      {reasons(`${reason}.text`)} {t('untilThen', { days: HELD_DAYS })}
    </Alert>
  );
}

function Figures({ endpoint }: { endpoint: Endpoint }) {
  const t = useTranslations('webhooks.card');
  const states = useTranslations('applications.endpointState');
  const format = useFormats();
  const { oldest_held_at: oldest, last_success_at: last, state } = endpoint;
  return (
    <Stack gap="xs">
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 5 }} spacing="md" m={0}>
        <Figure name={t('rate')} note={t('attempts', { count: endpoint.attempts_24h })}>
          {rateText(states, format, endpoint)}
        </Figure>
        <Figure name={state === 'active' ? t('pending') : t('held')}>{format.count(endpoint.pending)}</Figure>
        <Figure name={t('failed')}>{format.count(endpoint.failed)}</Figure>
        <Figure name={t('oldestHeld')}>{oldest ? <Time value={oldest} options={SHORT_TIME} /> : t('none')}</Figure>
        <Figure name={t('lastSuccess')}>{last ? <Time value={last} options={SHORT_TIME} /> : t('never')}</Figure>
      </SimpleGrid>
      <Hint size="xs">{t('note')}</Hint>
    </Stack>
  );
}

function Figure({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} fw={600}>
        {children}
        {note && (
          <Text component="span" display="block" size="xs" c="dimmed" fw={400}>
            {note}
          </Text>
        )}
      </Text>
    </div>
  );
}

type SecretListProps = {
  endpoint: Endpoint;
  /** Milliseconds by which the server's clock is ahead of the browser's. */
  ahead: number;
  canEdit: boolean;
  onEnd: () => void;
  onAct: (act: WebhookAct) => void;
};

function SecretList({ endpoint: { secrets, max_secrets: most }, ahead, canEdit, onEnd, onAct }: SecretListProps) {
  const t = useTranslations('webhooks.secrets');
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {t('count', { count: secrets.length, max: most })}
      </Text>
      <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
        {secrets.map(({ number, created_at: created, expires_at: ends }) => (
          <Group key={number} component="li" gap="xs">
            <Text size="sm">{t.rich('created', { number, time: () => <Time value={created} options={DAY} /> })}</Text>
            {ends ? (
              <>
                <Countdown endsAt={Date.parse(ends) - ahead} onEnd={onEnd} />
                {canEdit && (
                  <Button
                    variant="default"
                    size="compact-xs"
                    aria-label={t('deactivateLabel', { number })}
                    onClick={() => onAct({ kind: 'end', number })}
                  >
                    {t('deactivate')}
                  </Button>
                )}
              </>
            ) : (
              <Hint size="xs">{t('current')}</Hint>
            )}
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}

type EndpointActionsProps = {
  applicationId: string;
  endpoint: Endpoint;
  onAct: (act: WebhookAct) => void;
  onTest: (deliveryId: string) => void;
};

/** An endpoint that is paused because its application is suspended has no Resume button: resuming the application resumes it. */
function EndpointActions({ applicationId, endpoint, onAct, onTest }: EndpointActionsProps) {
  const t = useTranslations('webhooks.actions');
  const trpc = useTRPC();
  const refresh = useDone(trpc.webhooks, trpc.overview);
  const test = useMutation(
    trpc.webhooks.test.mutationOptions({
      onSuccess: ({ delivery_id: id }) => {
        onTest(id);
        void refresh();
      },
      onError: (error) => notifications.show({ color: 'red', message: error.message }),
    }),
  );
  const { state, reason } = endpoint;
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="xs"
        loading={test.isPending}
        onClick={() => test.mutate({ application_id: applicationId })}
      >
        {t('test')}
      </Button>
      <Button variant="default" size="xs" onClick={() => onAct({ kind: 'edit', endpoint })}>
        {t('edit')}
      </Button>
      <Button variant="default" size="xs" onClick={() => onAct({ kind: 'rotate' })}>
        {t('rotate')}
      </Button>
      {state === 'active' && (
        <Button variant="default" size="xs" onClick={() => onAct({ kind: 'pause' })}>
          {t('pause')}
        </Button>
      )}
      {(state === 'disabled' || reason === 'owner') && (
        <Button size="xs" onClick={() => onAct({ kind: 'resume' })}>
          {state === 'disabled' ? t('reEnable') : t('resume')}
        </Button>
      )}
    </Group>
  );
}

const POLL_MS = 500;

type TestResultProps = { applicationId: string; deliveryId: string };

function TestResult({ applicationId, deliveryId }: TestResultProps) {
  const t = useTranslations('webhooks.testResult');
  const outcomes = useTranslations('webhooks.outcomes');
  const format = useFormats();
  const trpc = useTRPC();
  const refresh = useDone(trpc.webhooks, trpc.overview);
  const { go } = useUrlState(PARSERS, { change: changeQuery });
  const input = { application_id: applicationId, delivery_id: deliveryId };
  const delivery = useQuery({
    ...trpc.webhooks.delivery.queryOptions(input),
    refetchInterval: ({ state: { data } }) => (isOver(data) ? false : POLL_MS),
  });
  const over = isOver(delivery.data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: refresh only once, when the delivery ends.
  useEffect(() => {
    if (over) void refresh();
  }, [over]);
  const attempt = delivery.data?.log[0];
  const succeeded = delivery.data?.state === 'succeeded';
  const result = (tried: Attempt) =>
    withResponse(t, format, succeeded ? t('delivered') : t('failed', { outcome: outcomeOf(outcomes, tried) }), tried);
  const text = !over ? t('sending') : attempt ? result(attempt) : t('notSent');
  const Icon = succeeded ? IconCircleCheck : IconAlertTriangle;
  return (
    <Alert
      role="status"
      color={!over ? 'gray' : succeeded ? 'green' : 'red'}
      icon={over ? <Icon aria-hidden /> : <Loader size={16} aria-hidden />}
    >
      {text}{' '}
      {over && (
        <Anchor
          href={deliveryHref(applicationId, deliveryId)}
          inherit
          fw={600}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            go({ delivery: deliveryId });
          }}
        >
          {t('view')}
        </Anchor>
      )}
    </Alert>
  );
}

function isOver(delivery: DeliveryDetail | undefined): boolean {
  return delivery !== undefined && (delivery.state === 'succeeded' || delivery.state === 'failed');
}

function withResponse(t: Translator<'webhooks.testResult'>, format: Formats, text: string, attempt: Attempt): string {
  const { status, duration_ms } = attempt;
  if (status === null || duration_ms === null) return text;
  return t('response', { text, status, duration: formatDuration(duration_ms, format) });
}
