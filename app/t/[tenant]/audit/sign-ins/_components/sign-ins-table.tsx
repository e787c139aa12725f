'use client';

import { Box, Text } from '@mantine/core';
import type { SignInLine } from '../../../_components/api-types';
import { Columns, DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import { Ago } from '../../../_components/time/ago';
import { StateBadge } from '../../../applications/_components/state-badge';
import type { TableProps } from '../../_components/log-list';

/** One page of sign-ins, latest first. */
export function SignInsTable({ lines, busy, frame }: TableProps<SignInLine>) {
  return (
    <DataTable caption="Sign-ins, latest first" minWidth={760} busy={busy} frame={frame}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={['Date', 'Person', 'Result', 'Address', 'Attempts']} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Table.Tr key={line.id}>
            <Table.Td data-label="Date">
              <Ago value={line.at} both />
            </Table.Td>
            <Table.Td data-label="Person" style={{ overflowWrap: 'anywhere' }}>
              {line.user_name}
            </Table.Td>
            <Table.Td data-label="Result">
              <Result line={line} />
            </Table.Td>
            <Box component={Table.Td} data-label="Address" ff={line.network ? 'monospace' : undefined} fz={13}>
              {line.network ?? 'Several addresses'}
            </Box>
            <Table.Td data-label="Attempts">{line.attempts}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

const FAILURES: Record<Exclude<SignInLine['outcome'], 'signed_in'>, string> = {
  wrong_password: 'Incorrect password',
  wrong_second_factor: 'Incorrect second factor',
  wrong_identity: 'Another user of the provider',
};

const METHODS: Record<SignInLine['method'], string> = {
  password: 'with password',
  provider: 'with single sign-on',
  totp: 'with authenticator app',
  passkey: 'with passkey',
  recovery_code: 'with recovery code',
};

function Result({ line: { outcome, method } }: { line: SignInLine }) {
  if (outcome !== 'signed_in') return <StateBadge tone="bad">{FAILURES[outcome]}</StateBadge>;
  return (
    <>
      <StateBadge tone="good">Signed in</StateBadge>
      <Text span fz={12} c="dimmed" ml={6} display="inline-block">
        {METHODS[method]}
      </Text>
    </>
  );
}
