'use client';

import { Code, Group, Paper, Stack, Text } from '@mantine/core';
import type { Attempt } from '../../../../_components/api-types';
import { Time } from '../../../../_components/time/time';
import { formatDuration } from '../../../../requests/_components/format';
import { StateBadge } from '../../../_components/state-badge';
import { outcomeOf } from './words';

/** A delivery's attempts, newest first. */
export function AttemptList({ log }: { log: Attempt[] }) {
  if (log.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No attempts yet.
      </Text>
    );
  }
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Attempts">
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
  return (
    <Stack gap={6}>
      <Group gap="xs" justify="space-between">
        <Text size="sm" fw={600}>
          Attempt {number}
        </Text>
        <Outcome attempt={attempt} />
      </Group>
      <Text size="sm">{outcomeOf(attempt)}</Text>
      <Text size="xs" c="dimmed">
        <Time value={at} />, {kind === 'manual' ? `manual, by ${by ?? 'an owner'}` : 'scheduled'}
        {status !== null && `, status ${status}`}
        {duration !== null && `, ${formatDuration(duration)}`}
      </Text>
      {answer && (
        <Code
          block
          fz="xs"
          tabIndex={0}
          aria-label={`Response to attempt ${number}`}
          style={{ whiteSpace: 'pre-wrap' }}
        >
          {answer}
        </Code>
      )}
    </Stack>
  );
}

function Outcome({ attempt: { duration_ms, error, interrupted } }: { attempt: Attempt }) {
  if (interrupted) return <StateBadge tone="warning">Interrupted</StateBadge>;
  if (duration_ms === null) return <StateBadge tone="neutral">In progress</StateBadge>;
  return error === null ? <StateBadge tone="good">Succeeded</StateBadge> : <StateBadge tone="bad">Failed</StateBadge>;
}
