'use client';

import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Columns, DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import { StateBadge } from '../../../applications/_components/state-badge';
import { fieldName } from '../../_components/form-context';
import { OutsideNotice } from '../../_components/outside-notice';
import type { ImportCheck, ImportPlan } from '../../_components/types';

/** The server stops the check of a document after this number of errors. */
const MOST = 1_000;

/** The errors of an imported document, each with its JSON path. */
export function ImportIssues({ check: { issues, issue_count: count } }: { check: ImportCheck }) {
  const t = useTranslations('catalog.issues');
  return (
    <Stack gap="sm">
      <Alert color="red" role="alert" title={t(count >= MOST ? 'titleAtLeast' : 'title', { count })}>
        {t('fix')}
      </Alert>
      <DataTable caption={t('errors')} minWidth={520}>
        <Table.Thead>
          <Table.Tr>
            <Columns labels={[t('path'), t('error')]} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
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
        </Table.Tbody>
      </DataTable>
      {count > issues.length && <Text size="sm">{t('more', { count: count - issues.length })}</Text>}
    </Stack>
  );
}

const TONES = { created: 'good', updated: 'neutral', unpublished: 'warning' } as const;

type PlanProps = { plan: ImportPlan; pending: boolean; onImport: () => void };

/** The changes that an import would make, with the button that imports them. */
export function ImportPlanView({ plan, pending, onImport }: PlanProps) {
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
    <DataTable caption={t('summary')} minWidth={460} dense>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={[t('records'), t('created'), t('updated'), t('unpublished'), t('unchanged')]} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {(['locations', 'services', 'specialists'] as const).map((list) => (
          <Table.Tr key={list}>
            <Table.Th scope="row">{t(`lists.${list}`)}</Table.Th>
            <Table.Td data-label={t('created')}>{counts[list].created}</Table.Td>
            <Table.Td data-label={t('updated')}>{counts[list].updated}</Table.Td>
            <Table.Td data-label={t('unpublished')}>{counts[list].unpublished}</Table.Td>
            <Table.Td data-label={t('unchanged')}>{counts[list].unchanged}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Lines({ lines }: { lines: ImportPlan['lines'] }) {
  const t = useTranslations('catalog.plan');
  const tCatalog = useTranslations('catalog');
  return (
    <DataTable caption={t('changes')} minWidth={620} dense>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={[t('name'), t('type'), t('change'), t('fields')]} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
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
      </Table.Tbody>
    </DataTable>
  );
}
