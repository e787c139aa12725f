'use client';

import { Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { IssuedKey, KeyRow } from '../../../../_components/api-types';
import { EmptyState, NotLoaded } from '../../../../_components/states';
import { Column, Columns, DataTable } from '../../../../_components/tables/data-table';
import { RowButton } from '../../../../_components/tables/row-button';
import { Table } from '../../../../_components/tables/table';
import { DAY, SHORT_TIME } from '../../../../_components/time/moments';
import { Time } from '../../../../_components/time/time';
import { useTRPC } from '../../../../_components/trpc';
import { useDone } from '../../../../_components/use-done';
import { requestsHref } from '../../../../requests/_components/query';
import { Count, None } from '../../../_components/count';
import { Countdown } from '../../../_components/countdown';
import { useGuardedDialog } from '../../../_components/secret-dialog';
import { StateBadge } from '../../../_components/state-badge';
import { type KeyAct, KeyDialog } from './key-dialog';
import { ReadinessSection } from './readiness/readiness-section';

/** An application's keys, with buttons to issue, rotate, and revoke them. */
export function KeySection({ applicationId, canEdit }: { applicationId: string; canEdit: boolean }) {
  const t = useTranslations('applications.keys');
  const trpc = useTRPC();
  const keys = useQuery(trpc.keys.list.queryOptions({ application_id: applicationId }));
  const issueButton = useRef<HTMLButtonElement>(null);
  const dialog = useGuardedDialog<KeyAct, IssuedKey>(issueButton);
  const changed = useDone(trpc.keys, trpc.applications);
  const issue = canEdit && (
    <Button
      ref={issueButton}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => dialog.open({ kind: 'issue' })}
    >
      {t('issue')}
    </Button>
  );
  return (
    <Stack gap="md">
      {keys.isError || !keys.data ? (
        <NotLoaded query={keys} rows={4} height={60} />
      ) : keys.data.keys.length === 0 ? (
        <EmptyState title={t('empty')} action={issue}>
          {t('emptyText')}
        </EmptyState>
      ) : (
        <>
          <Group justify="space-between">
            <Hint>
              {t.rich('lead', {
                docs: (text) => (
                  <Anchor inherit underline="always" href="/docs" target="_blank">
                    {text}
                  </Anchor>
                ),
              })}
            </Hint>
            {issue}
          </Group>
          <KeyTable list={keys.data} at={keys.dataUpdatedAt} canEdit={canEdit} onAct={dialog.open} onEnd={changed} />
          {keys.data.more > 0 && <Hint>{t('older', { count: keys.data.more })}</Hint>}
        </>
      )}
      <ReadinessSection applicationId={applicationId} canEdit={canEdit} />
      <KeyDialog applicationId={applicationId} dialog={dialog} onChanged={changed} />
    </Stack>
  );
}

type Props = {
  list: { keys: KeyRow[]; now: string };
  /** The time at which the list was loaded, according to the browser's clock, in milliseconds since the Unix epoch. */
  at: number;
  canEdit: boolean;
  onAct: (act: KeyAct) => void;
  /** Called when a key on the page expires. */
  onEnd: () => void;
};

function KeyTable({ list: { keys, now }, at, canEdit, onAct, onEnd }: Props) {
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
        <Hint size="xs">{by ? t('by', { name: by }) : t('bySandbox')}</Hint>
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
  const which = { name, end: lastFour };
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {status !== 'rotated' && (
        <RowButton label={t('rotateLabel', which)} onClick={() => onAct({ kind: 'rotate', key: keyRow })}>
          {t('rotate')}
        </RowButton>
      )}
      <RowButton label={t('revokeLabel', which)} onClick={() => onAct({ kind: 'revoke', key: keyRow })}>
        {t('revoke')}
      </RowButton>
    </Group>
  );
}

type KeyStateProps = {
  keyRow: KeyRow;
  /** Milliseconds by which the server's clock is ahead of the browser's. */
  ahead: number;
  onEnd: () => void;
};

function KeyState({ keyRow, ahead, onEnd }: KeyStateProps) {
  const t = useTranslations('applications.keyState');
  const { status, ends_at: endsAt, revoked_at: revokedAt, rotated_to_id: successor } = keyRow;
  if (status === 'active') return <StateBadge tone="good">{t('active')}</StateBadge>;
  if (status === 'revoked') {
    return (
      <>
        <StateBadge tone="neutral">{t('revoked')}</StateBadge>
        {revokedAt && <Since at={revokedAt} />}
      </>
    );
  }
  if (status === 'expired') {
    return (
      <>
        <StateBadge tone="neutral">{t(successor ? 'replaced' : 'expired')}</StateBadge>
        {endsAt && <Since at={endsAt} />}
      </>
    );
  }
  return (
    <>
      <StateBadge tone="warning">{t(status === 'rotated' ? 'rotated' : 'expiring')}</StateBadge>
      {endsAt && <Countdown endsAt={Date.parse(endsAt) - ahead} onEnd={onEnd} />}
    </>
  );
}

function Since({ at }: { at: string }) {
  return (
    <Hint size="xs">
      <Time value={at} options={DAY} />
    </Hint>
  );
}
