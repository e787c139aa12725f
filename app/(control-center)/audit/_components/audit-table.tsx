'use client';

import { Anchor, Code, Table, Text, VisuallyHidden } from '@mantine/core';
import Link from 'next/link';
import type { Ref } from 'react';
import type { AuditChange } from '../../_components/api-types';
import { Columns, DataTable } from '../../_components/data-table';
import { Time } from '../../_components/time';
import styles from './audit.module.css';
import { differencesOf, formatValue, objectHref, toWords } from './format';
import { auditHref } from './query';

type Props = { changes: AuditChange[]; busy: boolean; frame: Ref<HTMLDivElement> };

/** One page of changes, newest first. */
export function AuditTable({ changes, busy, frame }: Props) {
  return (
    <DataTable caption="Changes, newest first" minWidth={900} busy={busy} frame={frame}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={['Date', 'Person', 'Action', 'Object', 'Before → after']} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map((change) => (
          <Table.Tr key={change.id} style={{ verticalAlign: 'top' }}>
            <Table.Td data-label="Date">
              <Time value={change.at} />
            </Table.Td>
            <Table.Td data-label="Person">
              <Actor change={change} />
            </Table.Td>
            <Table.Td data-label="Action">{toWords(change.action)}</Table.Td>
            <Table.Td data-label="Object" data-wide maw={240} style={{ overflowWrap: 'anywhere' }}>
              <ChangedObject change={change} />
            </Table.Td>
            <Table.Td data-label="Before → after" data-wide="all">
              <Differences change={change} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Actor({ change: { actor_kind, actor_id, actor_name } }: { change: AuditChange }) {
  if (actor_kind === 'system') return 'System';
  return (
    <Anchor component={Link} href={auditHref({ person: actor_id })} prefetch={false} fz={13}>
      {actor_name ?? actor_id}
    </Anchor>
  );
}

function ChangedObject({ change }: { change: AuditChange }) {
  const href = objectHref(change);
  const name = change.object_name ?? toWords(change.object_kind);
  return (
    <>
      {href ? (
        <Anchor component={Link} href={href} prefetch={false} fz={13}>
          {name}
        </Anchor>
      ) : (
        name
      )}
      <Text fz={12}>
        <Anchor
          component={Link}
          href={auditHref({ object: change.object_id })}
          prefetch={false}
          fz={12}
          ff="monospace"
          style={{ overflowWrap: 'anywhere' }}
          aria-label={`All changes to ${change.object_id}`}
        >
          {change.object_id}
        </Anchor>
      </Text>
    </>
  );
}

function Differences({ change }: { change: AuditChange }) {
  const differences = differencesOf(change);
  if (differences.length === 0) {
    return (
      <Text fz={13} c="dimmed">
        –
      </Text>
    );
  }
  return (
    <ul className={styles.differences}>
      {differences.map(({ field, before, after }) => (
        <li key={field}>
          <span className={styles.field}>{toWords(field)}</span>{' '}
          {change.before !== null && (
            <>
              <Code>{formatValue(before)}</Code>
              <span aria-hidden> → </span>
              <VisuallyHidden>, now </VisuallyHidden>
            </>
          )}
          <Code>{formatValue(after)}</Code>
        </li>
      ))}
    </ul>
  );
}
