'use client';

import { Alert, Button, Checkbox, Code, Group, List, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { plural } from '../../../_components/format';
import { FileChoice, FileProblem } from '../../../_components/forms/file-choice';
import { Section } from '../../../_components/forms/form-section';
import { pack } from '../../../_components/pack';
import { Columns, DataTable } from '../../../_components/tables/data-table';
import { saveFile } from '../../../_components/tables/save-file';
import { Table } from '../../../_components/tables/table';
import { useTRPC } from '../../../_components/trpc';
import styles from '../../../catalog/_components/catalog.module.css';
import { RULES } from '../../_components/rules';
import type { BookingImportCheck } from '../../_components/types';

/** The server enforces the same limit. */
const MAX_MIB = 4;
/** The server stops at this number of errors. */
const MOST = 1_000;

const EXAMPLE = [
  'service,location,specialist,date,start_time,customer_name,customer_phone,customer_email,consent_to_contact,price_amount,external_reference,note',
  'Haircut,Studio Mitte,Alex Example,2026-12-14,10:00,Robin Sample,+49 30 5550 1234,robin@example.com,true,4900,A-1001,Rings the bell',
].join('\r\n');

/** Checks a file with bookings, lists what prevents or should be known before the import, and imports it. */
export function BookingImport() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [isConfirmed, setConfirmed] = useState(false);
  const check = useMutation(trpc.bookings.transfer.check.mutationOptions({ gcTime: 0 }));
  const run = useMutation(
    trpc.bookings.transfer.import.mutationOptions({
      gcTime: 0,
      onSuccess: ({ created }) => {
        edit('');
        notifications.show({ message: `${plural(created, 'booking')} imported.` });
        return queries.invalidateQueries({ queryKey: trpc.bookings.pathKey() });
      },
    }),
  );
  const edit = (next: string) => {
    setText(next);
    setConfirmed(false);
    check.reset();
    run.reset();
  };
  const found = check.data;
  return (
    <Stack maw={1160}>
      <Section title="File" lead="CSV or JSON in UTF-8, with at most 5,000 bookings and 4 MiB.">
        <FileChoice accept=".csv,text/csv,.json,application/json" maxMib={MAX_MIB} onText={edit} />
        <Textarea
          label="Bookings as CSV or JSON"
          className={styles.code}
          rows={8}
          spellCheck={false}
          value={text}
          onChange={(event) => edit(event.currentTarget.value)}
        />
        <Format />
        <Group>
          <Button
            variant={found && found.issue_count === 0 ? 'default' : 'filled'}
            disabled={text.trim() === ''}
            loading={check.isPending}
            onClick={async () => {
              setConfirmed(false);
              run.reset();
              check.mutate({ packed: await pack(new Blob([text])) });
            }}
          >
            Check bookings
          </Button>
        </Group>
        <FileProblem message={check.error?.message ?? null} />
      </Section>
      {found && found.issue_count > 0 && <Issues check={found} />}
      {found && found.issue_count === 0 && (
        <Section title="Preview" lead="Nothing is imported before you confirm.">
          <Summary check={found} />
          {found.warning_count > 0 && <Warnings check={found} />}
          {found.warning_count > 0 && (
            <Checkbox
              label={`Import ${found.warning_count === 1 ? 'it' : 'them'} anyway`}
              checked={isConfirmed}
              onChange={(event) => setConfirmed(event.currentTarget.checked)}
            />
          )}
          {found.created > 0 && (
            <Group>
              <Button
                loading={run.isPending}
                disabled={found.warning_count > 0 && !isConfirmed}
                onClick={async () => run.mutate({ packed: await pack(new Blob([text])), basis: found.basis })}
              >
                Import {plural(found.created, 'booking')}
              </Button>
            </Group>
          )}
        </Section>
      )}
      {run.error?.data?.code === 'version_conflict' ? (
        <Alert color="yellow" role="alert" title="Something has changed since the check">
          Nothing was imported. Check the bookings again.
        </Alert>
      ) : (
        <FileProblem message={run.error?.message ?? null} />
      )}
    </Stack>
  );
}

function Format() {
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        The first line of a CSV file names the columns: <Code>service</Code>, <Code>specialist</Code>, <Code>date</Code>{' '}
        (YYYY-MM-DD), <Code>start_time</Code> (HH:MM, local), <Code>customer_name</Code>, <Code>customer_phone</Code>{' '}
        (with country code), <Code>consent_to_contact</Code> (true), and, if needed, <Code>location</Code>,{' '}
        <Code>customer_email</Code>, <Code>price_amount</Code> (in minor units), <Code>external_reference</Code>, and{' '}
        <Code>note</Code>. Catalog records are named by their ID or their name.
      </Text>
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          px={0}
          onClick={() => saveFile(new Blob([EXAMPLE], { type: 'text/csv' }), 'bookings.csv')}
        >
          Save an example file
        </Button>
      </div>
    </Stack>
  );
}

function Summary({ check: { created, known } }: { check: BookingImportCheck }) {
  if (created === 0)
    return (
      <Alert color="accent" role="status" title="Nothing to import">
        All bookings of this file have been imported before.
      </Alert>
    );
  return (
    <Text size="sm" role="status">
      {plural(created, 'booking')} will be made.
      {known > 0 && ` ${plural(known, 'booking')} of an earlier import will be left as they are.`} Partners get no
      events for them, and customers get no mail.
    </Text>
  );
}

function Issues({ check: { issues, issue_count: count } }: { check: BookingImportCheck }) {
  return (
    <Stack gap="sm">
      <Alert
        color="red"
        role="alert"
        title={`These bookings cannot be imported: ${count >= MOST ? 'at least ' : ''}${plural(count, 'problem')}`}
      >
        Correct the file, then check it again. Nothing was imported.
      </Alert>
      <DataTable caption="Problems" minWidth={520}>
        <Table.Thead>
          <Table.Tr>
            <Columns labels={['Booking', 'Field', 'Problem']} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {issues.map(({ row, field, message }) => (
            <Table.Tr key={`${row} ${field} ${message}`}>
              <Table.Th scope="row">{row ?? 'File'}</Table.Th>
              <Table.Td data-label="Field">{field && <Code>{field}</Code>}</Table.Td>
              <Table.Td data-label="Problem" data-wide="all">
                {message}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </DataTable>
      {count > issues.length && <Text size="sm">and {plural(count - issues.length, 'more', 'more')}</Text>}
    </Stack>
  );
}

function Warnings({ check: { warnings, warning_count: count } }: { check: BookingImportCheck }) {
  return (
    <Alert color="yellow" role="alert" title={`${plural(count, 'booking')} ${count === 1 ? 'breaks' : 'break'} a rule`}>
      <List size="sm">
        {warnings.map(({ row, rules }) => (
          <List.Item key={row}>
            Booking {row}: {rules.map((rule) => RULES[rule]).join(' ')}
          </List.Item>
        ))}
      </List>
      {count > warnings.length && <Text size="sm">and {plural(count - warnings.length, 'more', 'more')}</Text>}
    </Alert>
  );
}
