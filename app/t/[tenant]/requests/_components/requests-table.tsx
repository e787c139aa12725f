'use client';

import { Anchor, VisuallyHidden } from '@mantine/core';
import type { HTMLAttributes, Ref } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import { Column, Columns, DataTable, SortColumn } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { Ago } from '../../_components/time/ago';
import { LINE_TIME } from '../../_components/time/moments';
import { formatDuration, shortRoute } from './format';
import { requestHref } from './query';
import styles from './requests.module.css';
import { StatusCode } from './status-code';
import type { RequestRow } from './types';

type Props = {
  rows: RequestRow[];
  order: 'newest' | 'oldest';
  onOrder: () => void;
  stale: boolean;
  frame: Ref<HTMLDivElement>;
  areaProps: HTMLAttributes<HTMLDivElement>;
};

const COLUMNS = ['status', 'method', 'route', 'code', 'application', 'key'] as const;
const WIDTHS = [140, 70, 68, 'auto', 186, 170, 200, 86] as const;

/** One page of requests. The columns have fixed widths so that new rows do not change the layout. */
export function RequestsTable({ rows, order, onOrder, stale, frame, areaProps }: Props) {
  const t = useTranslations('requests');
  return (
    <DataTable
      caption={t('list.caption', { order })}
      label={t('list.label')}
      minWidth={980}
      busy={stale}
      frame={frame}
      frameProps={areaProps}
      className={styles.requests}
    >
      <colgroup>
        {WIDTHS.map((width, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns never change.
          <col key={column} style={{ width }} />
        ))}
      </colgroup>
      <Table.Thead>
        <Table.Tr>
          <SortColumn label={t('table.time')} direction={order === 'newest' ? 'desc' : 'asc'} onSort={onOrder} />
          <Columns labels={COLUMNS.map((name) => t(`table.${name}`))} />
          <Column label={t('table.duration')} numeric />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Row key={row.request_id} row={row} />
        ))}
      </Table.Tbody>
    </DataTable>
  );
}

function Row({ row }: { row: RequestRow }) {
  const t = useTranslations('requests.table');
  const format = useFormats();
  const { request_id: id, route, code, reason, application, key } = row;
  return (
    <Table.Tr>
      <Table.Td data-label={t('time')} className={styles.time}>
        <Anchor component={Link} href={requestHref(id)} fz={13} className={styles.open}>
          <Ago value={row.at} options={LINE_TIME} />
          <VisuallyHidden>
            , {row.method} {route && shortRoute(route)}, {row.status}
          </VisuallyHidden>
        </Anchor>
      </Table.Td>
      <Table.Td data-label={t('status')}>
        <StatusCode status={row.status} />
      </Table.Td>
      <Table.Td data-label={t('method')} className={styles.mono}>
        {row.method}
      </Table.Td>
      <Table.Td data-label={t('route')} className={styles.mono} title={route ?? undefined}>
        {route ? shortRoute(route) : <Missing>{t('unknownRoute')}</Missing>}
      </Table.Td>
      <Table.Td data-label={t('code')} className={code ? `${styles.code} ${styles.mono}` : styles.none}>
        {code ?? <Missing>–</Missing>}
        {reason && <div className={styles.dimmed}>{reason}</div>}
      </Table.Td>
      <Table.Td data-label={t('application')} className={styles.application} title={application?.name}>
        {application?.name ?? <Missing>–</Missing>}
      </Table.Td>
      <Table.Td data-label={t('key')} className={styles.none} title={key?.name}>
        {key ? (
          <span className={styles.key}>
            <span className={styles.keyName}>{key.name}</span>
            <span className={styles.dimmed}>…{key.last_four}</span>
          </span>
        ) : (
          <Missing>–</Missing>
        )}
      </Table.Td>
      <Table.Td data-label={t('duration')} data-numeric>
        {formatDuration(row.duration_ms, format)}
      </Table.Td>
    </Table.Tr>
  );
}

function Missing({ children }: { children: string }) {
  return <span className={styles.dimmed}>{children}</span>;
}
