'use client';

import { Anchor, Group, Table, Text, VisuallyHidden } from '@mantine/core';
import Link from 'next/link';
import { CopyValue } from '../../_components/id';
import { SHORT_TIME } from '../../_components/moments';
import { Time } from '../../_components/time';
import styles from './applications.module.css';
import { formatCount, plural } from './format';
import { requestsHref } from './request-links';
import { SCOPE_TEXTS } from './scopes';
import { SortHeader } from './sort-header';
import { ApplicationState } from './state-badge';
import { SuspendButton } from './suspend-button';
import { TableFrame } from './table-frame';
import type { ApplicationRow } from './types';
import type { ListQuery, Sort } from './use-list-query';

type Props = {
  applications: ApplicationRow[];
  query: ListQuery;
  busy: boolean;
  canEdit: boolean;
  onSort: (sort: Sort, direction: 'asc' | 'desc') => void;
};

/** The applications of one page, with their figures of the last 24 hours. */
export function ApplicationTable({ applications, query, busy, canEdit, onSort }: Props) {
  const sortable = { query, onSort };
  return (
    <TableFrame caption="Applications" minWidth={980} busy={busy}>
      <Table.Thead>
        <Table.Tr>
          <SortHeader by="name" label="Name" {...sortable} />
          <Table.Th scope="col">Status</Table.Th>
          <Table.Th scope="col">May do</Table.Th>
          <Table.Th scope="col">Locations</Table.Th>
          <Table.Th scope="col" className={styles.number}>
            Keys
          </Table.Th>
          <SortHeader by="last_request_at" label="Last request" {...sortable} />
          <SortHeader by="requests_24h" label={'Requests 24\u00a0h'} numeric {...sortable} />
          <SortHeader by="errors_24h" label={'Errors 24\u00a0h'} numeric {...sortable} />
          {canEdit && (
            <Table.Th scope="col">
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {applications.map((application) => (
          <Row key={application.id} application={application} canEdit={canEdit} />
        ))}
      </Table.Tbody>
    </TableFrame>
  );
}

function Row({ application, canEdit }: { application: ApplicationRow; canEdit: boolean }) {
  const { id, name, suspended_at: suspendedAt, last_request_at: last } = application;
  return (
    <Table.Tr>
      <Table.Th scope="row" role="rowheader" className={styles.name}>
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
          <CopyValue value={id} label={`Copy the id of ${name}`} />
        </Group>
      </Table.Th>
      <Table.Td data-label="Status">
        <ApplicationState suspended={suspendedAt !== null} />
      </Table.Td>
      <Table.Td data-label="May do" data-wide>
        <Scopes scopes={application.scopes} />
      </Table.Td>
      <Table.Td data-label="Locations" maw={{ base: undefined, sm: 170 }}>
        <Locations application={application} />
      </Table.Td>
      <Table.Td data-label="Keys" className={styles.number}>
        {formatCount(application.keys_in_use)}
      </Table.Td>
      <Table.Td data-label="Last request">
        {last ? <Time value={last} options={SHORT_TIME} /> : <None>Never</None>}
      </Table.Td>
      <Table.Td data-label={'Requests 24\u00a0h'} className={styles.number}>
        <Count value={application.requests_24h} href={requestsHref({ application: id })} of={`requests of ${name}`} />
      </Table.Td>
      <Table.Td data-label={'Errors 24\u00a0h'} className={styles.number}>
        <Count
          value={application.errors_24h}
          href={requestsHref({ application: id, status: 'error' })}
          of={`errors of ${name}`}
          bad
        />
      </Table.Td>
      {canEdit && (
        <Table.Td data-actions className={styles.number}>
          <SuspendButton application={{ ...application, suspended: suspendedAt !== null }} compact />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function Scopes({ scopes }: Pick<ApplicationRow, 'scopes'>) {
  if (scopes.length === 0) return <None>Nothing</None>;
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

/** A figure that leads to what it counts; a zero leads nowhere. */
export function Count({ value, href, of, bad = false }: { value: number; href: string; of: string; bad?: boolean }) {
  if (value === 0) return <None>0</None>;
  return (
    <Anchor component={Link} href={href} inherit className={bad ? styles.removed : undefined}>
      {formatCount(value)}
      <VisuallyHidden> {of} in the last 24 hours</VisuallyHidden>
    </Anchor>
  );
}

/** What is said where there is nothing. */
export function None({ children }: { children: string }) {
  return (
    <Text c="dimmed" component="span" inherit>
      {children}
    </Text>
  );
}
