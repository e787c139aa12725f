'use client';

import { Button, Code, Group, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { KeyRow } from '../../../../_components/api-types';
import { Column, Columns, DataTable } from '../../../../_components/tables/data-table';
import { Table } from '../../../../_components/tables/table';
import { DAY, SHORT_TIME } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { requestsHref } from '../../../../requests/_components/query';
import { Count, None } from '../../../_components/count';
import { KeyState } from './key-state';
import type { KeyAct } from './use-key-dialog';

type Props = {
  list: { keys: KeyRow[]; now: string };
  /** The time at which the list was loaded, according to the browser's clock, in milliseconds since the Unix epoch. */
  at: number;
  canEdit: boolean;
  onAct: (act: KeyAct) => void;
  /** Called when a key on the page expires. */
  onEnd: () => void;
};

/** An application's keys. Keys that are neither expired nor revoked come first. */
export function KeyTable({ list: { keys, now }, at, canEdit, onAct, onEnd }: Props) {
  const t = useTranslations('applications.keyTable');
  // The server decides when a key expires, so the countdowns follow the server's clock.
  const ahead = Date.parse(now) - at;
  return (
    <DataTable caption={t('caption')} minWidth={980}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={[t('name'), t('key'), t('status'), t('created'), t('expires'), t('lastUsed')]} />
          <Column label={t('requests')} numeric />
          {canEdit && <Column label={t('actions')} hidden />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((key) => (
          <Table.Tr key={key.id} id={key.id}>
            <Cells keyRow={key} ahead={ahead} onEnd={onEnd} />
            {canEdit && (
              <Table.Td data-actions>
                <Actions keyRow={key} onAct={onAct} />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Cells({ keyRow, ahead, onEnd }: { keyRow: KeyRow; ahead: number; onEnd: () => void }) {
  const t = useTranslations('applications.keyTable');
  const { name, prefix, last_four: lastFour, created_by: by, ends_at: expires, last_used_at: used } = keyRow;
  return (
    <>
      <Table.Th scope="row" role="rowheader">
        <Text size="sm" fw={600} c="var(--mantine-color-text)">
          {name}
        </Text>
      </Table.Th>
      <Table.Td data-label={t('key')}>
        <Code style={{ whiteSpace: 'nowrap' }}>
          {prefix}…{lastFour}
        </Code>
      </Table.Td>
      <Table.Td data-label={t('status')}>
        <KeyState keyRow={keyRow} ahead={ahead} onEnd={onEnd} />
      </Table.Td>
      <Table.Td data-label={t('created')}>
        <Time value={keyRow.created_at} options={DAY} />
        <Text size="xs" c="dimmed">
          {by ? t('by', { name: by }) : t('bySandbox')}
        </Text>
      </Table.Td>
      <Table.Td data-label={t('expires')}>
        {expires ? <Time value={expires} options={DAY} /> : <None>{t('never')}</None>}
      </Table.Td>
      <Table.Td data-label={t('lastUsed')}>
        {used ? <Time value={used} options={SHORT_TIME} /> : <None>{t('never')}</None>}
      </Table.Td>
      <Table.Td data-label={t('requests')} data-numeric>
        <Count
          value={keyRow.requests_24h}
          href={requestsHref({ key: keyRow.id })}
          of={t('requestsOf', { name, end: lastFour })}
        />
      </Table.Td>
    </>
  );
}

function Actions({ keyRow, onAct }: { keyRow: KeyRow; onAct: (act: KeyAct) => void }) {
  const t = useTranslations('applications.keyTable');
  const { name, last_four: lastFour, status } = keyRow;
  if (status === 'expired' || status === 'revoked') return null;
  const shared = { variant: 'subtle', size: 'compact-sm', color: 'gray', c: 'var(--mantine-color-text)' } as const;
  const which = { name, end: lastFour };
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {status !== 'rotated' && (
        <Button {...shared} aria-label={t('rotateLabel', which)} onClick={() => onAct({ kind: 'rotate', key: keyRow })}>
          {t('rotate')}
        </Button>
      )}
      <Button {...shared} aria-label={t('revokeLabel', which)} onClick={() => onAct({ kind: 'revoke', key: keyRow })}>
        {t('revoke')}
      </Button>
    </Group>
  );
}
