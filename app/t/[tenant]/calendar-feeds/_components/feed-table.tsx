'use client';

import { Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { CalendarFeed } from '../../_components/api-types';
import { Columns, DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { Ago } from '../../_components/time/ago';
import { Time } from '../../_components/time/time';

/** The action that the dialog performs: create a feed, or replace the URL of a feed or revoke it. */
export type FeedAct = { kind: 'create' } | { kind: 'replace' | 'revoke'; feed: CalendarFeed };

/** The feeds, each with buttons to replace its URL and to revoke it. */
export function FeedTable({ feeds, onAct }: { feeds: CalendarFeed[]; onAct: (act: FeedAct) => void }) {
  const t = useTranslations('calendarFeeds');
  return (
    <DataTable caption={t('table.caption')} minWidth={760} dense>
      <Table.Thead>
        <Table.Tr>
          <Columns
            labels={[t('table.subject'), t('table.kind'), t('table.issued'), t('table.lastRead'), t('table.actions')]}
          />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {feeds.map((feed) => (
          <Table.Tr key={feed.id}>
            <Table.Td data-label={t('table.subject')} data-wide style={{ overflowWrap: 'anywhere' }}>
              {feed.name}
            </Table.Td>
            <Table.Td data-label={t('table.kind')}>{t(`kinds.${feed.subject.kind}`)}</Table.Td>
            <Table.Td data-label={t('table.issued')}>
              <Time value={feed.issued_at} />
            </Table.Td>
            <Table.Td data-label={t('table.lastRead')}>
              {feed.last_read_at === null ? (
                <Text inherit c="dimmed">
                  {t('table.never')}
                </Text>
              ) : (
                <Ago value={feed.last_read_at} />
              )}
            </Table.Td>
            <Table.Td data-actions>
              <Group gap="xs" wrap="nowrap">
                <Action
                  label={t('table.replaceOf', { name: feed.name })}
                  onClick={() => onAct({ kind: 'replace', feed })}
                >
                  {t('table.replace')}
                </Action>
                <Action
                  label={t('table.revokeOf', { name: feed.name })}
                  onClick={() => onAct({ kind: 'revoke', feed })}
                >
                  {t('table.revoke')}
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
