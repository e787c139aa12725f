'use client';

import { Anchor, Box, Table } from '@mantine/core';
import { type MouseEvent, useState } from 'react';
import { type ChartBar, spanOf } from './chart-bars';
import { formatCount } from './format';
import styles from './requests.module.css';

type Props = {
  bars: ChartBar[];
  stepSeconds: number;
  hrefFor: (from: string, to: string) => string;
  onZoom: (from: string, to: string) => void;
};

/** The chart in figures, for whoever reads better than they look. */
export function ChartTable({ bars, stepSeconds, hrefFor, onZoom }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.asTable} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show as a table</summary>
      {open && (
        <Box className={styles.frame} mah={320} role="region" aria-label="Requests over time, in figures" tabIndex={0}>
          <Table captionSide="top">
            <Table.Caption ta="left">Requests over time; stretches without a request are left out</Table.Caption>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Time</Table.Th>
                <Table.Th scope="col">2xx</Table.Th>
                <Table.Th scope="col">4xx</Table.Th>
                <Table.Th scope="col">5xx</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {bars
                .filter(({ total }) => total > 0)
                .map((bar) => (
                  <Row key={bar.from} bar={bar} span={spanOf(bar, stepSeconds)} hrefFor={hrefFor} onZoom={onZoom} />
                ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
    </details>
  );
}

type RowProps = { bar: ChartBar; span: string } & Pick<Props, 'hrefFor' | 'onZoom'>;

function Row({ bar, span, hrefFor, onZoom }: RowProps) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onZoom(bar.from, bar.to);
  };
  const about = bar.estimated ? 'about ' : '';
  return (
    <Table.Tr>
      <Table.Th scope="row" role="rowheader" fw={400}>
        <Anchor href={hrefFor(bar.from, bar.to)} onClick={follow} size="sm">
          {span}
        </Anchor>
      </Table.Th>
      <Table.Td>{about + formatCount(bar.ok)}</Table.Td>
      <Table.Td>{about + formatCount(bar.client_errors)}</Table.Td>
      <Table.Td>{about + formatCount(bar.server_errors)}</Table.Td>
    </Table.Tr>
  );
}
