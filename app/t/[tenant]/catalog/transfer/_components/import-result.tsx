'use client';

import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { plural } from '../../../_components/format';
import { Columns, DataTable } from '../../../_components/tables/data-table';
import { Table } from '../../../_components/tables/table';
import { StateBadge } from '../../../applications/_components/state-badge';
import { OutsideNotice } from '../../_components/outside-notice';
import type { ImportCheck, ImportPlan } from '../../_components/types';

/** The server stops the check of a document after this number of errors. */
const MOST = 1_000;

/** The errors of an imported document, each with its JSON path. */
export function ImportIssues({ check: { issues, issue_count: count } }: { check: ImportCheck }) {
  return (
    <Stack gap="sm">
      <Alert
        color="red"
        role="alert"
        title={`The document has ${count >= MOST ? 'at least ' : ''}${plural(count, 'error')}`}
      >
        Fix the errors below, then check the changes again.
      </Alert>
      <DataTable caption="Errors" minWidth={520}>
        <Table.Thead>
          <Table.Tr>
            <Columns labels={['Path', 'Error']} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {issues.map(({ path, message }) => (
            <Table.Tr key={path}>
              <Table.Th scope="row">
                <Code>{path}</Code>
              </Table.Th>
              <Table.Td data-label="Error" data-wide="all">
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

const TONES = { created: 'good', updated: 'neutral', unpublished: 'warning' } as const;
const NAMES = { locations: 'Locations', services: 'Services', specialists: 'Specialists' } as const;
const ONE = { locations: 'Location', services: 'Service', specialists: 'Specialist' } as const;

type PlanProps = { plan: ImportPlan; pending: boolean; onImport: () => void };

/** The changes that an import would make, with the button that imports them. */
export function ImportPlanView({ plan, pending, onImport }: PlanProps) {
  const { counts, lines, outside } = plan;
  const total = Object.values(counts).reduce((sum, one) => sum + one.created + one.updated + one.unpublished, 0);
  if (total === 0) {
    return (
      <Alert color="accent" role="status" title="No changes">
        The catalog already matches the document.
      </Alert>
    );
  }
  return (
    <Stack gap="md">
      <Counts counts={counts} />
      <OutsideNotice outside={outside} future />
      <Lines lines={lines} />
      {total > lines.length && <Text size="sm">and {plural(total - lines.length, 'more', 'more')}</Text>}
      <Group>
        <Button loading={pending} onClick={onImport}>
          Import {plural(total, 'change')}
        </Button>
      </Group>
    </Stack>
  );
}

function Counts({ counts }: { counts: ImportPlan['counts'] }) {
  return (
    <DataTable caption="Change summary" minWidth={460}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={['Records', 'Created', 'Updated', 'Unpublished', 'Unchanged']} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {(['locations', 'services', 'specialists'] as const).map((list) => (
          <Table.Tr key={list}>
            <Table.Th scope="row">{NAMES[list]}</Table.Th>
            <Table.Td data-label="Created">{counts[list].created}</Table.Td>
            <Table.Td data-label="Updated">{counts[list].updated}</Table.Td>
            <Table.Td data-label="Unpublished">{counts[list].unpublished}</Table.Td>
            <Table.Td data-label="Unchanged">{counts[list].unchanged}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Lines({ lines }: { lines: ImportPlan['lines'] }) {
  return (
    <DataTable caption="Changes" minWidth={620}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={['Name', 'Type', 'Change', 'Fields']} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map(({ list, action, id, name, fields, absent }) => (
          <Table.Tr key={id}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td data-label="Type">{ONE[list]}</Table.Td>
            <Table.Td data-label="Change">
              <StateBadge tone={TONES[action]}>{action}</StateBadge>
            </Table.Td>
            <Table.Td data-label="Fields" data-wide="all">
              {action === 'created' && 'All fields'}
              {action !== 'created' && (absent ? 'Not in the document' : fields.join(', ').replaceAll('_', ' '))}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}
