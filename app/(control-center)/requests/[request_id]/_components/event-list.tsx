'use client';

import { Group, Stack, Text } from '@mantine/core';
import { Id } from '../../../_components/id';
import { Time } from '../../../_components/time';
import styles from '../../_components/requests.module.css';
import type { RequestDetail } from '../../_components/types';

/** The events that a request caused; each is what a webhook tells. */
export function EventList({ events }: Pick<RequestDetail, 'events'>) {
  if (events.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        It changed no booking.
      </Text>
    );
  }
  return (
    <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
      {events.map(({ id, type, version, at }) => (
        <li key={id}>
          <Text size="sm">
            <span className={styles.mono}>{type}</span>
            {version !== null && ` · version ${version} of the booking`}
          </Text>
          <Group gap="xs">
            <Id value={id} what="event id" />
            <Text size="sm" c="dimmed">
              <Time value={at} />
            </Text>
          </Group>
        </li>
      ))}
    </Stack>
  );
}
