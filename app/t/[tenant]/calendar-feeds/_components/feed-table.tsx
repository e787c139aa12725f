'use client';

import { Button, Group, Text } from '@mantine/core';
import type { CalendarFeed } from '../../_components/api-types';
import { Columns, DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { Ago } from '../../_components/time/ago';
import { Time } from '../../_components/time/time';

/** The action that the dialog performs: create a feed, or replace the URL of a feed or revoke it. */
export type FeedAct = { kind: 'create' } | { kind: 'replace' | 'revoke'; feed: CalendarFeed };

export const KIND_NAMES: Record<CalendarFeed['subject']['kind'], string> = {
  business: 'Whole business',
  location: 'Location',
  specialist: 'Specialist',
};

/** The feeds, each with buttons to replace its URL and to revoke it. */
export function FeedTable({ feeds, onAct }: { feeds: CalendarFeed[]; onAct: (act: FeedAct) => void }) {
  return (
    <DataTable caption="Calendar feeds" minWidth={760}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={['Bookings of', 'Kind', 'URL issued', 'Last read', 'Actions']} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {feeds.map((feed) => (
          <Table.Tr key={feed.id}>
            <Table.Td data-label="Bookings of" data-wide style={{ overflowWrap: 'anywhere' }}>
              {feed.name}
            </Table.Td>
            <Table.Td data-label="Kind">{KIND_NAMES[feed.subject.kind]}</Table.Td>
            <Table.Td data-label="URL issued">
              <Time value={feed.issued_at} />
            </Table.Td>
            <Table.Td data-label="Last read">
              {feed.last_read_at === null ? (
                <Text inherit c="dimmed">
                  Never
                </Text>
              ) : (
                <Ago value={feed.last_read_at} />
              )}
            </Table.Td>
            <Table.Td data-actions>
              <Group gap="xs" wrap="nowrap">
                <Action label={`Replace the URL for ${feed.name}`} onClick={() => onAct({ kind: 'replace', feed })}>
                  Replace
                </Action>
                <Action label={`Revoke the feed for ${feed.name}`} onClick={() => onAct({ kind: 'revoke', feed })}>
                  Revoke
                </Action>
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Action({ label, onClick, children }: { label: string; onClick: () => void; children: string }) {
  return (
    <Button
      variant="subtle"
      color="gray"
      c="var(--mantine-color-text)"
      size="compact-sm"
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
