'use client';

import { Anchor, Box, Group, Text } from '@mantine/core';
import { Link } from '@/app/_components/link';
import type { ApplicationRow } from '../../_components/api-types';
import { formatCount, plural } from '../../_components/format';
import { CopyValue } from '../../_components/id';
import { Column, Columns, DataTable, SortColumn } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { SHORT_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { requestsHref } from '../../requests/_components/query';
import styles from './applications.module.css';
import { Count, None } from './count';
import type { ListQuery } from './list-query';
import { SCOPE_TEXTS } from './scopes';
import { ApplicationState } from './state-badge';
import { SuspendButton } from './suspend-button';

type Sort = ListQuery['sort'];
type OnSort = (sort: Sort, direction: ListQuery['direction']) => void;

type Props = { applications: ApplicationRow[]; query: ListQuery; busy: boolean; canEdit: boolean; onSort: OnSort };

/** One page of applications, with their traffic from the last 24 hours. */
export function ApplicationTable({ applications, query, busy, canEdit, onSort }: Props) {
  // `first` is the sort direction after the first click on a column header. The first click sorts names from A to Z,
  // and numbers and times from the highest value to the lowest.
  const sort = (by: Sort, first: ListQuery['direction']) => {
    const direction = query.sort === by ? query.direction : null;
    const next = direction === null ? first : direction === 'asc' ? 'desc' : 'asc';
    return { direction, onSort: () => onSort(by, next) };
  };
  return (
    <DataTable caption="Applications" minWidth={980} busy={busy}>
      <Table.Thead>
        <Table.Tr>
          <SortColumn label="Name" {...sort('name', 'asc')} />
          <Columns labels={['Status', 'Permissions', 'Locations']} />
          <Column label="Keys" numeric />
          <SortColumn label="Last request" {...sort('last_request_at', 'desc')} />
          <SortColumn label={'Requests (24\u00a0h)'} numeric {...sort('requests_24h', 'desc')} />
          <SortColumn label={'Errors (24\u00a0h)'} numeric {...sort('errors_24h', 'desc')} />
          {canEdit && <Column label="Actions" hidden />}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {applications.map((application) => (
          <Row key={application.id} application={application} canEdit={canEdit} />
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Row({ application, canEdit }: { application: ApplicationRow; canEdit: boolean }) {
  const { id, name, suspended_at: suspendedAt, last_request_at: last } = application;
  return (
    <Table.Tr>
      <Table.Th scope="row" role="rowheader">
        <Group gap={6} wrap="nowrap">
          <Anchor
            component={Link}
            href={`/applications/${id}`}
            size="sm"
            fw={600}
            lineClamp={2}
            title={name}
            dir="auto"
          >
            {name}
          </Anchor>
          <CopyValue value={id} label={`Copy the ID of ${name}`} />
        </Group>
      </Table.Th>
      <Table.Td data-label="Status">
        <ApplicationState suspended={suspendedAt !== null} />
      </Table.Td>
      <Table.Td data-label="Permissions" data-wide>
        <Scopes scopes={application.scopes} />
      </Table.Td>
      <Box component={Table.Td} data-label="Locations" maw={{ base: undefined, sm: 170 }}>
        <Locations application={application} />
      </Box>
      <Table.Td data-label="Keys" data-numeric>
        {formatCount(application.keys_in_use)}
      </Table.Td>
      <Table.Td data-label="Last request">
        {last ? <Time value={last} options={SHORT_TIME} /> : <None>Never</None>}
      </Table.Td>
      <Table.Td data-label={'Requests (24\u00a0h)'} data-numeric>
        <Count value={application.requests_24h} href={requestsHref({ application: id })} of={`requests from ${name}`} />
      </Table.Td>
      <Table.Td data-label={'Errors (24\u00a0h)'} data-numeric>
        <Count
          value={application.errors_24h}
          href={requestsHref({ application: id, status: 'error' })}
          of={`errors from ${name}`}
          bad
        />
      </Table.Td>
      {canEdit && (
        <Table.Td data-actions data-numeric>
          <SuspendButton application={{ ...application, suspended: suspendedAt !== null }} compact />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function Scopes({ scopes }: Pick<ApplicationRow, 'scopes'>) {
  if (scopes.length === 0) return <None>None</None>;
  return (
    <Group gap={4} miw={{ base: 0, sm: 130 }} maw={{ base: undefined, sm: 240 }}>
      {scopes.map((scope) => (
        <span key={scope} className={styles.scope} title={scope}>
          {SCOPE_TEXTS[scope].short}
        </span>
      ))}
    </Group>
  );
}

function Locations({ application }: { application: ApplicationRow }) {
  const { all_locations: all, location_count: count, location_names: names } = application;
  if (all) return <>All</>;
  if (count === 0) return <None>None</None>;
  const more = count - names.length;
  return (
    <Text size="sm">
      {names.join(', ')}
      {more > 0 && ` and ${plural(more, 'more', 'more')}`}
    </Text>
  );
}
