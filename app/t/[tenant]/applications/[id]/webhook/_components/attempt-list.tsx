'use client';

import { Code, Group, Paper, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import type { Attempt } from '../../../../_components/api-types';
import { Time } from '../../../../_components/time/time';
import { formatDuration } from '../../../../requests/_components/format';
import { StateBadge } from '../../../_components/state-badge';
import { outcomeOf } from './words';

/** A delivery's attempts, newest first. */
export function AttemptList({ log }: { log: Attempt[] }) {
  const t = useTranslations('webhooks.attemptList');
  if (log.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('empty')}
      </Text>
    );
  }
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('label')}>
      {log.map((attempt) => (
        <Paper key={attempt.number} component="li" withBorder p="sm" bg="var(--app-surface)">
          <One attempt={attempt} />
        </Paper>
      ))}
    </Stack>
  );
}

function One({ attempt }: { attempt: Attempt }) {
  const { number, kind, requested_by: by, started_at: at, duration_ms: duration, status, answer } = attempt;
  const t = useTranslations('webhooks.attemptList');
  const outcomes = useTranslations('webhooks.outcomes');
  const format = useFormats();
  const facts = [
    kind !== 'manual' ? t('scheduled') : by === null ? t('manualOwner') : t('manual', { name: by }),
    ...(status === null ? [] : [t('status', { status })]),
    ...(duration === null ? [] : [formatDuration(duration, format)]),
  ];
  return (
    <Stack gap={6}>
      <Group gap="xs" justify="space-between">
        <Text size="sm" fw={600}>
          {t('attempt', { number })}
        </Text>
        <Outcome attempt={attempt} />
      </Group>
      <Text size="sm">{outcomeOf(outcomes, attempt)}</Text>
      <Text size="xs" c="dimmed">
        <Time value={at} />, {facts.join(', ')}
      </Text>
      {answer && (
        <Code block fz="xs" tabIndex={0} aria-label={t('response', { number })} style={{ whiteSpace: 'pre-wrap' }}>
          {answer}
        </Code>
      )}
    </Stack>
  );
}

function Outcome({ attempt: { duration_ms, error, interrupted } }: { attempt: Attempt }) {
  const t = useTranslations('webhooks.attemptList');
  if (interrupted) return <StateBadge tone="warning">{t('interrupted')}</StateBadge>;
  if (duration_ms === null) return <StateBadge tone="neutral">{t('inProgress')}</StateBadge>;
  return <StateBadge tone={error === null ? 'good' : 'bad'}>{t(error === null ? 'succeeded' : 'failed')}</StateBadge>;
}
