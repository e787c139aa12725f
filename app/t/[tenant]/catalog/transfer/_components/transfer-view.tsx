'use client';

import { Alert, Button, Code, Group, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
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
import { StateBadge } from '../../../applications/_components/state-badge';
import styles from '../../_components/catalog.module.css';
import { CatalogFrame } from '../../_components/catalog-frame';
import { OutsideNotice } from '../../_components/offers/outside-notice';
import { fieldName } from '../../_components/records/form-context';
import type { ImportCheck, ImportPlan } from '../../_components/types';

/** Exports and imports the whole catalog as one JSON document. */
export function TransferView({ canEdit }: { canEdit: boolean }) {
  const t = useTranslations('catalog');
  return (
    <CatalogFrame title={t('pages.transfer')} lead={t('transfer.lead')}>
      <Section title={t('transfer.export')} lead={t('transfer.exportLead')}>
        <ExportButton />
      </Section>
      <Section title={t('transfer.import')} lead={t('transfer.importLead')}>
        {canEdit ? <ImportForm /> : <Text size="sm">{t('transfer.ownersOnly')}</Text>}
      </Section>
    </CatalogFrame>
  );
}

function ExportButton() {
  const t = useTranslations('catalog.transfer');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [state, setState] = useState<'ready' | 'busy' | 'failed'>('ready');
  const save = async () => {
    setState('busy');
    try {
      const document = await queries.fetchQuery(trpc.catalog.transfer.export.queryOptions(undefined, { staleTime: 0 }));
      saveFile(new Blob([JSON.stringify(document, null, 2)], { type: 'application/json' }), 'catalog.json');
      setState('ready');
    } catch {
      setState('failed');
    }
  };
  return (
    <Stack gap="sm" align="flex-start">
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={state === 'busy'}
        onClick={save}
      >
        {t('exportCatalog')}
      </Button>
      <Problem error={state === 'failed' ? t('exportFailed') : null} />
    </Stack>
  );
}

/** Maximum size of an imported document in MiB. The server enforces the same limit. */
const MAX_MIB = 16;
/** Maximum number of characters that the text field shows. A browser takes seconds to show more. */
const MAX_SHOWN = 500_000;

const bytesOf = (text: string) => new Blob([text]).size;

function useSizeText(): (text: string) => string {
  const { format } = useFormats().number({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return (text) => `${format(bytesOf(text) / 1024 / 1024)} MiB`;
}

function useImport() {
  const t = useTranslations('catalog.import');
  const trpc = useTRPC();
  const [text, setText] = useState('');
  const [tooLarge, setTooLarge] = useState(false);
  const check = useMutation(trpc.catalog.transfer.check.mutationOptions());
  const refresh = useDone(trpc.catalog);
  const run = useMutation(
    trpc.catalog.transfer.import.mutationOptions({
      onSuccess: () => {
        notifications.show({ message: t('imported') });
        edit('');
        return refresh();
      },
    }),
  );
  const edit = (next: string) => {
    setText(next);
    setTooLarge(bytesOf(next) > MAX_MIB * 1024 * 1024);
    check.reset();
    run.reset();
  };
  return { text, edit, tooLarge, check, run };
}

function ImportForm() {
  const t = useTranslations('catalog.import');
  const sizeText = useSizeText();
  const { text, edit, tooLarge, check, run } = useImport();
  const plan = check.data?.plan ?? null;
  useLeaveWarning(text !== '');
  return (
    <Stack gap="md">
      <Fields busy={run.isPending}>
        <FileChoice accept="application/json,.json" maxMib={MAX_MIB} onText={edit} />
        {text.length > MAX_SHOWN ? (
          <LargeDocument text={text} tooLarge={tooLarge} onRemove={() => edit('')} />
        ) : (
          <Textarea
            label={t('label')}
            className={styles.code}
            rows={10}
            spellCheck={false}
            value={text}
            onChange={(event) => edit(event.currentTarget.value)}
          />
        )}
      </Fields>
      <Group>
        <Button
          variant={plan ? 'default' : 'filled'}
          disabled={text.trim() === '' || tooLarge}
          loading={check.isPending}
          onClick={async () => check.mutate({ packed: await pack(new Blob([text])) })}
        >
          {t('check')}
        </Button>
      </Group>
      {(check.isPending || run.isPending) && text.length > MAX_SHOWN && (
        <Text size="sm" role="status">
          {t(run.isPending ? 'importing' : 'checking', { size: sizeText(text) })}
        </Text>
      )}
      <Problem error={check.error} />
      {check.data && !plan && <ImportIssues check={check.data} />}
      {plan && (
        <ImportPlanView
          plan={plan}
          pending={run.isPending}
          onImport={async () => run.mutate({ packed: await pack(new Blob([text])), basis: plan.basis })}
        />
      )}
      {run.error?.data?.code === 'version_conflict' ? (
        <Alert color="yellow" role="alert" title={t('changed')}>
          {t('checkAgain')}
        </Alert>
      ) : (
        <Problem error={run.error} />
      )}
    </Stack>
  );
}

type LargeProps = { text: string; tooLarge: boolean; onRemove: () => void };

function LargeDocument({ text, tooLarge, onRemove }: LargeProps) {
  const t = useTranslations('catalog.import');
  const size = useSizeText()(text);
  return (
    <Group gap="sm">
      <Text size="sm" c={tooLarge ? 'red' : undefined} role={tooLarge ? 'alert' : 'status'}>
        {tooLarge ? t('tooLarge', { size, max: MAX_MIB }) : t('notShown', { size })}
      </Text>
      <Button variant="default" size="xs" onClick={onRemove}>
        {t('remove')}
      </Button>
    </Group>
  );
}

/** The server stops the check of a document after this number of errors. */
const MOST = 1_000;

function ImportIssues({ check: { issues, issue_count: count } }: { check: ImportCheck }) {
  const t = useTranslations('catalog.issues');
  return (
    <Stack gap="sm">
      <Alert color="red" role="alert" title={t(count >= MOST ? 'titleAtLeast' : 'title', { count })}>
        {t('fix')}
      </Alert>
      <DataTable caption={t('errors')} minWidth={520} columns={[t('path'), t('error')]}>
        {issues.map(({ path, message }) => (
          <Table.Tr key={path}>
            <Table.Th scope="row">
              <Code>{path}</Code>
            </Table.Th>
            <Table.Td data-label={t('error')} data-wide="all">
              {message}
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {count > issues.length && <Text size="sm">{t('more', { count: count - issues.length })}</Text>}
    </Stack>
  );
}

const TONES = { created: 'good', updated: 'neutral', unpublished: 'warning' } as const;

type PlanProps = { plan: ImportPlan; pending: boolean; onImport: () => void };

function ImportPlanView({ plan, pending, onImport }: PlanProps) {
  const t = useTranslations('catalog.plan');
  const { counts, lines, outside } = plan;
  const total = Object.values(counts).reduce((sum, one) => sum + one.created + one.updated + one.unpublished, 0);
  if (total === 0) {
    return (
      <Alert color="accent" role="status" title={t('none')}>
        {t('matches')}
      </Alert>
    );
  }
  return (
    <Stack gap="md">
      <Counts counts={counts} />
      <OutsideNotice outside={outside} future />
      <Lines lines={lines} />
      {total > lines.length && <Text size="sm">{t('more', { count: total - lines.length })}</Text>}
      <Group>
        <Button loading={pending} onClick={onImport}>
          {t('import', { count: total })}
        </Button>
      </Group>
    </Stack>
  );
}

function Counts({ counts }: { counts: ImportPlan['counts'] }) {
  const t = useTranslations('catalog.plan');
  return (
    <DataTable
      caption={t('summary')}
      minWidth={460}
      dense
      columns={[t('records'), t('created'), t('updated'), t('unpublished'), t('unchanged')]}
    >
      {(['locations', 'services', 'specialists'] as const).map((list) => (
        <Table.Tr key={list}>
          <Table.Th scope="row">{t(`lists.${list}`)}</Table.Th>
          <Table.Td data-label={t('created')}>{counts[list].created}</Table.Td>
          <Table.Td data-label={t('updated')}>{counts[list].updated}</Table.Td>
          <Table.Td data-label={t('unpublished')}>{counts[list].unpublished}</Table.Td>
          <Table.Td data-label={t('unchanged')}>{counts[list].unchanged}</Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function Lines({ lines }: { lines: ImportPlan['lines'] }) {
  const t = useTranslations('catalog.plan');
  const tCatalog = useTranslations('catalog');
  return (
    <DataTable caption={t('changes')} minWidth={620} dense columns={[t('name'), t('type'), t('change'), t('fields')]}>
      {lines.map(({ list, action, id, name, fields, absent }) => (
        <Table.Tr key={id}>
          <Table.Th scope="row">{name}</Table.Th>
          <Table.Td data-label={t('type')}>{t(`one.${list}`)}</Table.Td>
          <Table.Td data-label={t('change')}>
            <StateBadge tone={TONES[action]}>{t(`actions.${action}`)}</StateBadge>
          </Table.Td>
          <Table.Td data-label={t('fields')} data-wide="all">
            {action === 'created' && t('allFields')}
            {action !== 'created' &&
              (absent ? t('absent') : fields.map((field) => fieldName(tCatalog, field)).join(', '))}
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}
