'use client';

import { Alert, Badge, Code, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconBan, IconPlayerPause } from '@tabler/icons-react';
import { type ReactNode, type Ref, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import type { Endpoint } from '../../../../_components/api-types';
import { SHORT_TIME } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { EndpointActions } from './endpoint-actions';
import { SecretList } from './secret-list';
import { EndpointState } from './state';
import { TestResult } from './test-result';
import type { WebhookAct } from './webhook-dialog';
import { HELD_DAYS, rateText } from './words';

type Props = {
  applicationId: string;
  endpoint: Endpoint;
  /**
   * The time at which the endpoint was loaded, according to the browser's clock, in milliseconds since the Unix epoch.
   */
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
      {!whole && (
        <Text size="xs" c="dimmed">
          {t('onlyOwners')}
        </Text>
      )}
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
      <Text size="xs" c="dimmed">
        {t('note')}
      </Text>
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
