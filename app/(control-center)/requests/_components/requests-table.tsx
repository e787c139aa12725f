'use client';

import { Anchor, Box, Skeleton, Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import Link from 'next/link';
import type { HTMLAttributes, Ref } from 'react';
import { LINE_TIME } from '../../_components/moments';
import { Time } from '../../_components/time';
import { formatDuration, shortRoute } from './format';
import { requestHref } from './query';
import styles from './requests.module.css';
import { StatusCode } from './status-code';
import type { RequestRow } from './types';

type Props = {
  /** Undefined until they are here. */
  rows: RequestRow[] | undefined;
  order: 'newest' | 'oldest';
  onOrder: () => void;
  stale: boolean;
  frame: Ref<HTMLDivElement>;
  areaProps: HTMLAttributes<HTMLDivElement>;
};

const WIDTHS = [140, 70, 68, 'auto', 186, 170, 200, 86] as const;
const WAITING_ROWS = Array.from({ length: 12 }, (_, row) => `row-${row}`);

/** The requests of one page. On a narrow screen each is a sheet of a few lines instead of a row. */
export function RequestsTable({ rows, order, onOrder, stale, frame, areaProps }: Props) {
  return (
    <Box
      ref={frame}
      className={`${styles.frame} ${stale ? styles.stale : ''}`}
      role="region"
      aria-label="Requests"
      aria-busy={stale || rows === undefined}
      tabIndex={0}
      {...areaProps}
    >
      <Table className={styles.table} fz={13} highlightOnHover verticalSpacing={0} horizontalSpacing="sm">
        <caption>
          <VisuallyHidden>Requests, {order} first</VisuallyHidden>
        </caption>
        <colgroup>
          {WIDTHS.map((width, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed.
            <col key={column} style={{ width }} />
          ))}
        </colgroup>
        <Head order={order} onOrder={onOrder} />
        <Table.Tbody>{rows ? rows.map((row) => <Row key={row.request_id} row={row} />) : <WaitingRows />}</Table.Tbody>
      </Table>
    </Box>
  );
}

function Head({ order, onOrder }: Pick<Props, 'order' | 'onOrder'>) {
  const isNewest = order === 'newest';
  const Icon = isNewest ? IconArrowDown : IconArrowUp;
  return (
    <Table.Thead>
      <Table.Tr h={38}>
        <Table.Th scope="col" aria-sort={isNewest ? 'descending' : 'ascending'}>
          <UnstyledButton className={styles.sort} onClick={onOrder}>
            Time <Icon size={13} aria-hidden />
          </UnstyledButton>
        </Table.Th>
        {['Status', 'Method', 'Route', 'Code', 'Application', 'Key'].map((label) => (
          <Table.Th key={label} scope="col">
            {label}
          </Table.Th>
        ))}
        <Table.Th scope="col" className={styles.number}>
          Duration
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  );
}

function Row({ row }: { row: RequestRow }) {
  const { request_id: id, route, code, reason, application, key } = row;
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} href={requestHref(id)} prefetch={false} fz={13}>
          <Time value={row.at} options={LINE_TIME} />
        </Anchor>
      </Table.Td>
      <Table.Td>
        <StatusCode status={row.status} />
      </Table.Td>
      <Table.Td className={styles.mono}>{row.method}</Table.Td>
      <Table.Td className={styles.mono} title={route ?? undefined}>
        {route ? shortRoute(route) : <Nothing>unknown route</Nothing>}
      </Table.Td>
      <Table.Td className={code ? styles.mono : styles.noCode}>
        {code ?? <Nothing>–</Nothing>}
        {reason && <div className={styles.dimmed}>{reason}</div>}
      </Table.Td>
      <Table.Td title={application?.name}>{application?.name ?? <Nothing>–</Nothing>}</Table.Td>
      <Table.Td title={key?.name}>
        {key ? (
          <span className={styles.key}>
            <span className={styles.keyName}>{key.name}</span>
            <span className={styles.dimmed}>…{key.last_four}</span>
          </span>
        ) : (
          <Nothing>–</Nothing>
        )}
      </Table.Td>
      <Table.Td className={styles.number}>{formatDuration(row.duration_ms)}</Table.Td>
    </Table.Tr>
  );
}

function Nothing({ children }: { children: string }) {
  return <span className={styles.dimmed}>{children}</span>;
}

function WaitingRows() {
  return WAITING_ROWS.map((row) => (
    <Table.Tr key={row} aria-hidden>
      {WIDTHS.map((_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed.
        <Table.Td key={column}>
          <Skeleton height={12} width={column === 2 ? '70%' : '80%'} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
