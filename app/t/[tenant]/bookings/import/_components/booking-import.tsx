'use client';

import { Alert, Button, Checkbox, Code, Group, List, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { FileChoice } from '../../../_components/forms/file-choice';
import { Fields } from '../../../_components/forms/form';
import { Problem } from '../../../_components/forms/form-end';
import { Section } from '../../../_components/forms/form-section';
import { pack } from '../../../_components/pack';
import { useLeaveWarning } from '../../../_components/shell/leave-guard';
import { DataTable } from '../../../_components/tables/data-table';
import { saveFile } from '../../../_components/tables/save-file';
import { Table } from '../../../_components/tables/table';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import styles from '../../../catalog/_components/catalog.module.css';
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
  const t = useTranslations('bookings.import');
  const trpc = useTRPC();
  const done = useDone(trpc.bookings);
  const [text, setText] = useState('');
  const [isConfirmed, setConfirmed] = useState(false);
  const check = useMutation(trpc.bookings.transfer.check.mutationOptions({ gcTime: 0 }));
  const run = useMutation(
    trpc.bookings.transfer.import.mutationOptions({
      gcTime: 0,
      onSuccess: ({ created }) => {
        edit('');
        return done(t('done', { count: created }));
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
  useLeaveWarning(text !== '');
  return (
    <Stack maw={1160}>
      <Section title={t('file.title')} lead={t('file.lead')}>
        <Fields busy={run.isPending}>
          <FileChoice accept=".csv,text/csv,.json,application/json" maxMib={MAX_MIB} onText={edit} />
          <Textarea
            label={t('file.text')}
            className={styles.code}
            rows={8}
            spellCheck={false}
            value={text}
            onChange={(event) => edit(event.currentTarget.value)}
          />
        </Fields>
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
            {t('file.check')}
          </Button>
        </Group>
        <Problem error={check.error} />
      </Section>
      {found && found.issue_count > 0 && <Issues check={found} />}
      {found && found.issue_count === 0 && (
        <Section title={t('preview.title')} lead={t('preview.lead')}>
          <Summary check={found} />
          {found.warning_count > 0 && <Warnings check={found} />}
          {found.warning_count > 0 && (
            <Checkbox
              label={t('preview.anyway', { count: found.warning_count })}
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
                {t('preview.go', { count: found.created })}
              </Button>
            </Group>
          )}
        </Section>
      )}
      {run.error?.data?.code === 'version_conflict' ? (
        <Alert color="yellow" role="alert" title={t('changed')}>
          {t('changedHint')}
        </Alert>
      ) : (
        <Problem error={run.error} />
      )}
    </Stack>
  );
}

function Format() {
  const t = useTranslations('bookings.import.file');
  return (
    <Stack gap={4}>
      <Hint>{t.rich('format', { c: (name) => <Code>{name}</Code> })}</Hint>
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          px={0}
          onClick={() => saveFile(new Blob([EXAMPLE], { type: 'text/csv' }), 'bookings.csv')}
        >
          {t('example')}
        </Button>
      </div>
    </Stack>
  );
}

function Summary({ check: { created, known } }: { check: BookingImportCheck }) {
  const t = useTranslations('bookings.import.preview');
  if (created === 0)
    return (
      <Alert color="accent" role="status" title={t('nothing')}>
        {t('nothingHint')}
      </Alert>
    );
  return (
    <Text size="sm" role="status">
      {t('made', { count: created })} {known > 0 && `${t('known', { count: known })} `}
      {t('silent')}
    </Text>
  );
}

function Issues({ check: { issues, issue_count: count } }: { check: BookingImportCheck }) {
  const t = useTranslations('bookings.import');
  return (
    <Stack gap="sm">
      <Alert color="red" role="alert" title={t('issues.title', { count, atLeast: count >= MOST ? 'yes' : 'no' })}>
        {t('issues.hint')}
      </Alert>
      <DataTable
        caption={t('issues.caption')}
        minWidth={520}
        columns={[t('issues.booking'), t('issues.field'), t('issues.problem')]}
      >
        {issues.map(({ row, field, message }) => (
          <Table.Tr key={`${row} ${field} ${message}`}>
            <Table.Th scope="row">{row ?? t('issues.file')}</Table.Th>
            <Table.Td data-label={t('issues.field')}>{field && <Code>{field}</Code>}</Table.Td>
            <Table.Td data-label={t('issues.problem')} data-wide="all">
              {message}
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {count > issues.length && <Text size="sm">{t('more', { count: count - issues.length })}</Text>}
    </Stack>
  );
}

function Warnings({ check: { warnings, warning_count: count } }: { check: BookingImportCheck }) {
  const t = useTranslations('bookings.import');
  const texts = useTranslations('bookings.rules');
  return (
    <Alert color="yellow" role="alert" title={t('warnings.title', { count })}>
      <List size="sm">
        {warnings.map(({ row, rules }) => (
          <List.Item key={row}>
            {t('warnings.row', { row, rules: rules.map((rule) => texts(rule)).join(' ') })}
          </List.Item>
        ))}
      </List>
      {count > warnings.length && <Text size="sm">{t('more', { count: count - warnings.length })}</Text>}
    </Alert>
  );
}
