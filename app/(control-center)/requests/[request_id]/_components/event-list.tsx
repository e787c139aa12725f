'use client';

import { Box, Table, Text, VisuallyHidden } from '@mantine/core';
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
    <Box className={styles.frame} role="region" aria-label="Events" tabIndex={0}>
      <Table miw={640}>
        <caption>
          <VisuallyHidden>Events, oldest first</VisuallyHidden>
        </caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" aria-sort="ascending">
              Time
            </Table.Th>
            <Table.Th scope="col">Type</Table.Th>
            <Table.Th scope="col">Booking version</Table.Th>
            <Table.Th scope="col">Event id</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {events.map(({ id, type, version, at }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Time value={at} />
              </Table.Td>
              <Table.Td className={styles.mono}>{type}</Table.Td>
              <Table.Td>{version ?? '–'}</Table.Td>
              <Table.Td>
                <Id value={id} what="event id" />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
