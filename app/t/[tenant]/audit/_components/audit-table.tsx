'use client';

import { Anchor, Box, Code, Group, rem, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import type { AuditChange } from '../../_components/api-types';
import { CopyValue } from '../../_components/id';
import { Columns, DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { Ago } from '../../_components/time/ago';
import styles from './audit.module.css';
import { openedBookings } from './booking-text';
import { actionName, kindName, shortId } from './format';
import type { TableProps } from './log-list';
import { auditHref } from './query';
import { sentenceOf } from './sentence';
import { objectHref, objectName } from './targets';
import { UndoButton } from './undo-button';
import { useTexts } from './use-texts';
import { type ChangeLine, linesOf, type Names } from './values';

type Props = TableProps<AuditChange> & { names: Names };

const COLUMNS = ['date', 'change', 'object', 'values'] as const;

/** One page of changes, newest first. */
export function AuditTable({ lines, names, busy, frame }: Props) {
  const texts = useTexts();
  const { t } = texts;
  return (
    <DataTable caption={t('table.caption')} minWidth={900} busy={busy} frame={frame}>
      <Table.Thead>
        <Table.Tr>
          <Columns labels={COLUMNS.map((name) => t(`table.${name}`))} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((change) => (
          <Table.Tr key={change.id} style={{ verticalAlign: 'top' }}>
            <Table.Td data-label={t('table.date')} data-wide="all">
              <Ago value={change.at} both />
            </Table.Td>
            <Box
              component={Table.Td}
              data-label={t('table.change')}
              data-wide="all"
              miw={{ base: 0, md: 260 }}
              maw={380}
              style={{ overflowWrap: 'anywhere' }}
            >
              {t.rich('table.sentence', {
                actor: () => <Actor change={change} />,
                change: sentenceOf(texts, change),
              })}
              <Text fz={12} c="dimmed">
                {actionName(t, change.action)}
              </Text>
              {change.reversible && <UndoButton id={change.id} />}
            </Box>
            <Table.Td data-label={t('table.object')} data-wide style={{ maxWidth: rem(240), overflowWrap: 'anywhere' }}>
              <ChangedObject change={change} names={names} />
            </Table.Td>
            <Table.Td data-label={t('table.values')} data-wide="all">
              <Lines lines={linesOf(texts, change, names)} />
              {(change.before ?? change.after) !== null && <Stored change={change} />}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Actor({ change: { actor_kind, actor_id, actor_name } }: { change: AuditChange }) {
  const t = useTranslations('audit.actors');
  if (actor_kind === 'system' || actor_kind === 'operator') return t(actor_kind);
  return (
    <Anchor component={Link} href={auditHref({ person: actor_id })} fz={13} underline="always">
      {actor_name ?? actor_id}
    </Anchor>
  );
}

function ChangedObject({ change, names }: { change: AuditChange; names: Names }) {
  const href = objectHref(change);
  const texts = useTexts();
  const { t } = texts;
  const name = objectName(texts, change, names) ?? kindName(t, change.object_kind);
  // A search that opened several bookings has one audit entry, whose object is only the first of them. No link is shown
  // here, because the last column of the table links to each of these bookings.
  if (openedBookings(change).length > 1) return name;
  return (
    <>
      {href ? (
        <Anchor component={Link} href={href} fz={13} display="inline-block" lh={rem(24)}>
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
          aria-label={t('table.allChanges', { id: change.object_id })}
        >
          {shortId(change.object_id)}
        </Anchor>
        <CopyValue value={change.object_id} label={t('table.copy', { id: change.object_id })} />
      </Group>
    </>
  );
}

/** The values before and after a change, as they are stored. */
function Stored({ change: { before, after } }: { change: AuditChange }) {
  const t = useTranslations('audit.table');
  return (
    <details className={styles.stored}>
      <summary>{t('stored')}</summary>
      <Code block className={styles.json}>
        {JSON.stringify({ before, after }, null, 2)}
      </Code>
    </details>
  );
}

/** Maximum number of lines that the table shows for one change. A change can have hundreds of lines. */
const MAX_LINES = 12;

function Lines({ lines }: { lines: ChangeLine[] }) {
  const t = useTranslations('audit.table');
  const format = useFormats();
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
      {lines.length > MAX_LINES && (
        <li className={styles.field}>{t('more', { count: format.count(lines.length - MAX_LINES) })}</li>
      )}
    </ul>
  );
}

const field = (chunks: ReactNode) => <span className={styles.field}>{chunks}</span>;

function Line({ line }: { line: ChangeLine }) {
  const t = useTranslations('audit');
  if ('verb' in line) return t.rich(`lines.${line.verb}`, { label: line.label, text: line.text, field });
  return (
    <>
      {field(line.label)}{' '}
      {line.before !== null && (
        <>
          {line.before}
          <span aria-hidden> → </span>
          <VisuallyHidden>{t('table.now')}</VisuallyHidden>
        </>
      )}
      {line.after}
    </>
  );
}
