'use client';

import { Group, Paper, Text } from '@mantine/core';
import { Time } from '../../../_components/time/time';
import { formatDuration, shortRoute } from '../../_components/format';
import styles from '../../_components/requests.module.css';
import { StatusCode } from '../../_components/status-code';
import type { RequestDetail } from '../../_components/types';

/** One line with the status, the route, the code, and the time of a request. */
export function Headline({ request }: { request: RequestDetail }) {
  const { status, code, reason, method, route, at, duration_ms: duration } = request;
  return (
    <Paper withBorder p="md" bg="var(--app-surface)">
      <Group gap="6px 24px">
        <Text component="span" size="lg">
          <StatusCode status={status} />
        </Text>
        <Text component="span" ff="monospace" size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {method} {route ? shortRoute(route) : '(unknown route)'}
        </Text>
        {code && (
          <Text component="span" ff="monospace" size="sm">
            {code}
            {reason && <span className={styles.dimmed}> · {reason}</span>}
          </Text>
        )}
        <Text component="span" size="sm" c="dimmed">
          <Time value={at} /> · {formatDuration(duration)}
        </Text>
      </Group>
    </Paper>
  );
}
