'use client';

import { Anchor, Box, Code, Group, rem, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@/app/_components/link';
import type { AuditChange } from '../../_components/api-types';
import { formatCount } from '../../_components/format';
import { CopyValue } from '../../_components/id';
import { Columns, DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { Ago } from '../../_components/time/ago';
import styles from './audit.module.css';
import { openedBookings } from './booking-text';
import { shortId, toWords } from './format';
import type { TableProps } from './log-list';
import { auditHref } from './query';
import { sentenceOf } from './sentence';
import { objectHref, objectName } from './targets';
import { UndoButton } from './undo-button';
import { type ChangeLine, linesOf, type Names } from './values';

type Props = TableProps<AuditChange> & { names: Names };

/** One page of changes, newest first. */
export function AuditTable({ lines, names, busy, frame }: Props) {
  return (
    <DataTable caption="Changes, newest first" minWidth={900} busy={busy} frame={frame}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={['Date', 'Change', 'Object', 'Before → after']} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((change) => (
          <Table.Tr key={change.id} style={{ verticalAlign: 'top' }}>
            <Table.Td data-label="Date">
              <Ago value={change.at} both />
            </Table.Td>
            <Box
              component={Table.Td}
              data-label="Change"
              data-wide="all"
              miw={{ base: 0, md: 260 }}
              maw={380}
              style={{ overflowWrap: 'anywhere' }}
            >
              <Actor change={change} /> {sentenceOf(change)}.
              <Text fz={12} c="dimmed">
                {toWords(change.action)}
              </Text>
              {change.reversible && <UndoButton id={change.id} />}
            </Box>
            <Table.Td data-label="Object" data-wide style={{ maxWidth: rem(240), overflowWrap: 'anywhere' }}>
              <ChangedObject change={change} names={names} />
            </Table.Td>
            <Table.Td data-label="Before → after" data-wide="all">
              <Lines lines={linesOf(change, names)} />
              {(change.before ?? change.after) !== null && <Stored change={change} />}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Actor({ change: { actor_kind, actor_id, actor_name } }: { change: AuditChange }) {
  if (actor_kind === 'system') return 'System';
  if (actor_kind === 'operator') return 'Operator';
  return (
    <Anchor component={Link} href={auditHref({ person: actor_id })} fz={13} underline="always">
      {actor_name ?? actor_id}
    </Anchor>
  );
}

function ChangedObject({ change, names }: { change: AuditChange; names: Names }) {
  const href = objectHref(change);
  const name = objectName(change, names) ?? toWords(change.object_kind);
  // A search that opened several bookings has one audit entry, whose object is only the first of them. No link is shown
  // here, because the last column of the table links to each of these bookings.
  if (openedBookings(change).length > 1) return name;
  return (
    <>
      {href ? (
        <Anchor component={Link} href={href} fz={13}>
          {name}
        </Anchor>
      ) : (
        name
      )}
      <Group gap={2} wrap="nowrap">
        <Anchor
          component={Link}
          href={auditHref({ object: change.object_id })}
          fz={12}
          ff="monospace"
          lh={rem(24)}
          style={{ whiteSpace: 'nowrap' }}
          title={change.object_id}
          aria-label={`All changes to ${change.object_id}`}
        >
          {shortId(change.object_id)}
        </Anchor>
        <CopyValue value={change.object_id} label={`Copy ${change.object_id}`} />
      </Group>
    </>
  );
}

/** The values before and after a change, as they are stored. */
function Stored({ change: { before, after } }: { change: AuditChange }) {
  return (
    <details className={styles.stored}>
      <summary>JSON</summary>
      <Code block className={styles.json}>
        {JSON.stringify({ before, after }, null, 2)}
      </Code>
    </details>
  );
}

/** Maximum number of lines that the table shows for one change. A change can have hundreds of lines. */
const MAX_LINES = 12;

function Lines({ lines }: { lines: ChangeLine[] }) {
  if (lines.length === 0) {
    return (
      <Text fz={13} c="dimmed">
        –
      </Text>
    );
  }
  return (
    <ul className={styles.differences}>
      {lines.slice(0, MAX_LINES).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of an audit entry are fixed.
        <li key={index}>
          <Line line={line} />
        </li>
      ))}
      {lines.length > MAX_LINES && <li className={styles.field}>and {formatCount(lines.length - MAX_LINES)} more</li>}
    </ul>
  );
}

function Line({ line }: { line: ChangeLine }) {
  const label = <span className={styles.field}>{line.label}</span>;
  if ('verb' in line) {
    return (
      <>
        {label} <span className={styles.field}>{line.verb}</span> {line.text}
      </>
    );
  }
  return (
    <>
      {label}{' '}
      {line.before !== null && (
        <>
          {line.before}
          <span aria-hidden> → </span>
          <VisuallyHidden>, now </VisuallyHidden>
        </>
      )}
      {line.after}
    </>
  );
}
