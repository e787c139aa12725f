'use client';

import { Box, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import type { SignInLine } from '../../../_components/api-types';
import { Columns, DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import { Ago } from '../../../_components/time/ago';
import { StateBadge } from '../../../applications/_components/state-badge';
import type { TableProps } from '../../_components/log-list';

const COLUMNS = ['date', 'person', 'result', 'address', 'attempts'] as const;

/** One page of sign-ins, latest first. */
export function SignInsTable({ lines, busy, frame }: TableProps<SignInLine>) {
  const t = useTranslations('audit.signIns');
  const format = useFormats();
  return (
    <DataTable caption={t('caption')} minWidth={760} busy={busy} frame={frame}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={COLUMNS.map((name) => t(name))} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Table.Tr key={line.id}>
            <Table.Td data-label={t('date')} data-wide="all">
              <Ago value={line.at} both />
            </Table.Td>
            <Table.Td data-label={t('person')} style={{ overflowWrap: 'anywhere' }}>
              {line.user_name}
            </Table.Td>
            <Table.Td data-label={t('result')}>
              <Result line={line} />
            </Table.Td>
            <Box component={Table.Td} data-label={t('address')} ff={line.network ? 'monospace' : undefined} fz={13}>
              {line.network ?? t('severalAddresses')}
            </Box>
            <Table.Td data-label={t('attempts')}>{format.count(line.attempts)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Result({ line: { outcome, method } }: { line: SignInLine }) {
  const t = useTranslations('audit.signIns');
  if (outcome !== 'signed_in') return <StateBadge tone="bad">{t(`failures.${outcome}`)}</StateBadge>;
  return (
    <>
      <StateBadge tone="good">{t('succeeded')}</StateBadge>
      <Text span fz={12} c="dimmed" ml={6} display="inline-block">
        {t(`methods.${method}`)}
      </Text>
    </>
  );
}
