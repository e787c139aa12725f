'use client';

import { Anchor } from '@mantine/core';
import type { MouseEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Table } from '../../_components/tables/table';
import { ChartDetails } from '../../_components/time/chart-details';
import { type ChartBar, spanOf } from './chart-bars';

type Props = {
  bars: ChartBar[];
  stepSeconds: number;
  hrefFor: (from: string, to: string) => string;
  onZoom: (from: string, to: string) => void;
};

/** A table with the chart's data, for users who cannot see the chart. */
export function ChartTable({ bars, stepSeconds, hrefFor, onZoom }: Props) {
  const t = useTranslations('requests');
  const format = useFormats();
  return (
    <ChartDetails
      label={t('chart.table')}
      note={t('chart.tableNote')}
      columns={[t('table.time'), '2xx', '4xx', '5xx']}
      rows={() =>
        bars
          .filter(({ total }) => total > 0)
          .map((bar) => (
            <Row key={bar.from} bar={bar} span={spanOf(bar, stepSeconds, format)} hrefFor={hrefFor} onZoom={onZoom} />
          ))
      }
    />
  );
}

type RowProps = { bar: ChartBar; span: string } & Pick<Props, 'hrefFor' | 'onZoom'>;

function Row({ bar, span, hrefFor, onZoom }: RowProps) {
  const t = useTranslations('requests.chart');
  const format = useFormats();
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onZoom(bar.from, bar.to);
  };
  const count = (value: number) => {
    const text = format.count(value);
    return bar.estimated ? t('about', { count: text }) : text;
  };
  return (
    <Table.Tr>
      <Table.Th scope="row" role="rowheader" style={{ fontWeight: 400 }}>
        <Anchor href={hrefFor(bar.from, bar.to)} onClick={follow} size="sm">
          {span}
        </Anchor>
      </Table.Th>
      <Table.Td data-label="2xx">{count(bar.ok)}</Table.Td>
      <Table.Td data-label="4xx">{count(bar.client_errors)}</Table.Td>
      <Table.Td data-label="5xx">{count(bar.server_errors)}</Table.Td>
    </Table.Tr>
  );
}
