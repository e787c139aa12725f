'use client';

import { Anchor, Box, Group, Skeleton, Stack, Text } from '@mantine/core';
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { useFormats } from '@/app/_components/language';
import { useHydrated } from '@/app/_components/use-hydrated';
import { Table } from '../../_components/tables/table';
import { ChartDetails } from '../../_components/time/chart-details';
import { TimeAxis } from '../../_components/time/time-axis';
import { axisOf, barsOf, type ChartBar, sentenceOf, spanOf, totalsOf } from './chart-bars';
import { Legend, Segments } from './chart-parts';
import styles from './requests.module.css';
import type { Histogram } from './types';

const CLASSES = [
  { label: '2xx', tone: 'ok', count: 'ok' },
  { label: '4xx', tone: 'client', count: 'client_errors' },
  { label: '5xx', tone: 'server', count: 'server_errors' },
] as const;

type Props = {
  histogram: Histogram | undefined;
  hrefFor: (from: string, to: string) => string;
  onZoom: (from: string, to: string) => void;
};

/** Links each bar to its requests. The user selects several by dragging, or with Shift and the arrow keys. */
export function TrafficChart({ histogram, hrefFor, onZoom }: Props) {
  const t = useTranslations('requests.chart');
  if (!histogram) return <Skeleton className={styles.chartBox} radius="md" />;
  const bars = barsOf(histogram);
  return (
    <div className={styles.chartBox}>
      {bars === null ? (
        <Stack h="100%" justify="center" align="center">
          <Hint ta="center">{t('tooMany')}</Hint>
        </Stack>
      ) : (
        <Chart bars={bars} histogram={histogram} hrefFor={hrefFor} onZoom={onZoom} />
      )}
    </div>
  );
}

type ChartProps = { bars: ChartBar[]; histogram: Histogram } & Pick<Props, 'hrefFor' | 'onZoom'>;

function Chart({ bars, histogram, hrefFor, onZoom }: ChartProps) {
  const all = useTranslations('requests');
  const t = useTranslations('requests.chart');
  const format = useFormats();
  const [shown, setShown] = useState<number | null>(null);
  const figure = useRef<HTMLElement>(null);
  const zoom = (first: number, last: number) => {
    const [begin, end] = [bars[first], bars[last]];
    // Zooming removes the focused bar, so the focus moves to the chart.
    figure.current?.focus({ preventScroll: true });
    if (begin && end) onZoom(begin.from, end.to);
  };
  const selection = useBarSelection(bars.length, zoom);
  // The server does not know the reader's time zone, so it renders no times.
  const isLocal = useHydrated();
  const labelOf = (one: ChartBar) => {
    const counts = sentenceOf(t, one);
    return isLocal ? t('bar', { span: spanOf(one, histogram.step_seconds, format), counts }) : counts;
  };
  const highest = Math.max(1, ...bars.map((bar) => bar.total));
  const bar = shown === null ? undefined : bars[shown];
  return (
    <figure ref={figure} tabIndex={-1} className={styles.chart} aria-label={t('label')}>
      <Group justify="space-between" gap="0 12px" className={styles.chartHead}>
        <Text size="sm" component="figcaption">
          {bar ? labelOf(bar) : sentenceOf(t, totalsOf(bars))}
        </Text>
        <Legend of={CLASSES.map(({ tone, label }) => [tone, label])} />
      </Group>
      <div className={styles.plot}>
        <span className={styles.highest} aria-hidden>
          {format.count(highest)}
        </span>
        <Box className={styles.bars} {...selection.areaProps} onMouseLeave={() => setShown(null)}>
          {bars.map((one, index) => (
            <a
              key={one.from}
              href={hrefFor(one.from, one.to)}
              aria-label={labelOf(one)}
              className={styles.bar}
              data-selected={selection.isSelected(index) || undefined}
              onMouseEnter={() => setShown(index)}
              onFocus={() => setShown(index)}
              onBlur={() => setShown(null)}
              {...selection.barProps(index)}
            >
              <Segments of={CLASSES.map(({ tone, count }) => [tone, one[count]])} highest={highest} />
            </a>
          ))}
        </Box>
      </div>
      <TimeAxis {...axisOf(histogram)} />
      <ChartDetails
        label={t('table')}
        note={t('tableNote')}
        columns={[all('table.time'), ...CLASSES.map(({ label }) => label)]}
        rows={() =>
          bars
            .filter(({ total }) => total > 0)
            .map((one) => (
              <Row
                key={one.from}
                bar={one}
                span={spanOf(one, histogram.step_seconds, format)}
                hrefFor={hrefFor}
                onZoom={onZoom}
              />
            ))
        }
      />
    </figure>
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
      {CLASSES.map(({ label, count: field }) => (
        <Table.Td key={label} data-label={label}>
          {count(bar[field])}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

type Range = { anchor: number; active: number };

const bounds = ({ anchor, active }: Range) => [Math.min(anchor, active), Math.max(anchor, active)] as const;

/** The user selects bars by clicking or dragging, or with the arrow keys, Shift, and Enter. All bars share one tab stop. */
function useBarSelection(count: number, zoom: (first: number, last: number) => void) {
  const [range, setRange] = useState<Range | null>(null);
  const [dragging, setDragging] = useState(false);
  const current = range && range.active < count ? range : null;

  const finish = (chosen: Range) => {
    setRange(null);
    setDragging(false);
    zoom(...bounds(chosen));
  };
  const onKeyDown = (index: number) => (event: KeyboardEvent<HTMLAnchorElement>) => {
    const active = targetOf(event.key, index, count);
    if (active === null) return;
    event.preventDefault();
    setRange({ anchor: event.shiftKey ? (current?.anchor ?? index) : active, active });
    const next = event.currentTarget.parentElement?.children[active];
    if (next instanceof HTMLElement) next.focus();
  };
  return {
    isSelected: (index: number) => current !== null && isIn(current, index),
    barProps: (index: number) => ({
      tabIndex: index === (current?.active ?? 0) ? 0 : -1,
      draggable: false,
      onKeyDown: onKeyDown(index),
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0 || opensNewTab(event)) return;
        setRange({ anchor: index, active: index });
        setDragging(true);
      },
      onPointerEnter: () => {
        if (dragging && current) setRange({ ...current, active: index });
      },
      onClick: (event: MouseEvent) => {
        if (opensNewTab(event)) return;
        event.preventDefault();
        finish(current ?? { anchor: index, active: index });
      },
    }),
    areaProps: {
      // A drag from one bar to another fires no click event, so this handler completes the selection.
      onPointerUp: () => {
        if (dragging && current && current.anchor !== current.active) finish(current);
        else setDragging(false);
      },
      onPointerLeave: () => setDragging(false),
    },
  };
}

/** A range of one bar is no selection: an arrow key without Shift, which only moves the focus, also creates one. */
function isIn(range: Range, index: number): boolean {
  const [first, last] = bounds(range);
  return first !== last && index >= first && index <= last;
}

function targetOf(key: string, index: number, count: number): number | null {
  const target = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: count - 1 }[key];
  return target === undefined ? null : Math.min(count - 1, Math.max(0, target));
}

function opensNewTab(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey;
}
