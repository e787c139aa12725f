'use client';

import { Anchor, Code, Table, Text } from '@mantine/core';
import Link from 'next/link';
import type { Ref } from 'react';
import { Columns, DataTable } from '../../_components/data-table';
import { Time } from '../../_components/time';
import styles from './audit.module.css';
import { differencesOf, pageOf, textOf, wordsOf } from './format';
import { type AuditLine, hrefOf } from './query';

type Props = { lines: AuditLine[]; busy: boolean; frame: Ref<HTMLDivElement> };

/** The changes of one page, newest first. */
export function AuditTable({ lines, busy, frame }: Props) {
  return (
    <DataTable caption="Changes, newest first" minWidth={900} busy={busy} frame={frame}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={['When', 'Who', 'What', 'Object', 'Before → after']} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line) => (
          <Table.Tr key={line.id} style={{ verticalAlign: 'top' }}>
            <Table.Td data-label="When">
              <Time value={line.at} />
            </Table.Td>
            <Table.Td data-label="Who">
              <Who line={line} />
            </Table.Td>
            <Table.Td data-label="What">{wordsOf(line.action)}</Table.Td>
            <Table.Td data-label="Object" data-wide maw={240} style={{ overflowWrap: 'anywhere' }}>
              <What line={line} />
            </Table.Td>
            <Table.Td data-label="Before → after" data-wide="all">
              <Differences line={line} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Who({ line: { actor_kind, actor_id, actor_name } }: { line: AuditLine }) {
  if (actor_kind === 'system') return 'The system';
  return (
    <Anchor component={Link} href={hrefOf({ person: actor_id })} prefetch={false} fz={13}>
      {actor_name ?? actor_id}
    </Anchor>
  );
}

function What({ line }: { line: AuditLine }) {
  const page = pageOf(line);
  const name = line.object_name ?? wordsOf(line.object_kind);
  return (
    <>
      {page ? (
        <Anchor component={Link} href={page} prefetch={false} fz={13}>
          {name}
        </Anchor>
      ) : (
        name
      )}
      <Text fz={12}>
        <Anchor
          component={Link}
          href={hrefOf({ object: line.object_id })}
          prefetch={false}
          fz={12}
          ff="monospace"
          style={{ overflowWrap: 'anywhere' }}
          aria-label={`All changes of ${line.object_id}`}
        >
          {line.object_id}
        </Anchor>
      </Text>
    </>
  );
}

function Differences({ line }: { line: AuditLine }) {
  const differences = differencesOf(line);
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
          <span className={styles.field}>{wordsOf(field)}</span>{' '}
          {line.before !== null && (
            <>
              <Code>{textOf(before)}</Code>
              <span aria-hidden> → </span>
              <span className={styles.hidden}>, now </span>
            </>
          )}
          <Code>{textOf(after)}</Code>
        </li>
      ))}
    </ul>
  );
}
