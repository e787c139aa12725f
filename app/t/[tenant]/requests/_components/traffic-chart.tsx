'use client';

import { Box, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { TimeAxis } from '../../_components/time/time-axis';
import { useHydrated } from '../../_components/use-hydrated';
import { axisOf, barsOf, type ChartBar, sentenceOf, spanOf, totalsOf } from './chart-bars';
import { ChartTable } from './chart-table';
import styles from './requests.module.css';
import type { Histogram } from './types';
import { useBarSelection } from './use-bar-selection';

type Props = {
  histogram: Histogram | undefined;
  /** Returns the URL that lists the requests in a time range. */
  hrefFor: (from: string, to: string) => string;
  onZoom: (from: string, to: string) => void;
};

/**
 * The chart of requests over time, by class of status code. Each bar links to its requests. The user selects several
 * bars by dragging, or with Shift and the arrow keys.
 */
export function TrafficChart({ histogram, hrefFor, onZoom }: Props) {
  const t = useTranslations('requests.chart');
  if (!histogram) return <Skeleton className={styles.chartBox} radius="md" />;
  const bars = barsOf(histogram);
  return (
    <div className={styles.chartBox}>
      {bars === null ? (
        <Stack h="100%" justify="center" align="center">
          <Text c="dimmed" size="sm" ta="center">
            {t('tooMany')}
          </Text>
        </Stack>
      ) : (
        <Chart bars={bars} histogram={histogram} hrefFor={hrefFor} onZoom={onZoom} />
      )}
    </div>
  );
}

type ChartProps = { bars: ChartBar[]; histogram: Histogram } & Pick<Props, 'hrefFor' | 'onZoom'>;

function Chart({ bars, histogram, hrefFor, onZoom }: ChartProps) {
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
        <Legend />
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
              <Segments bar={one} highest={highest} />
            </a>
          ))}
        </Box>
      </div>
      <TimeAxis {...axisOf(histogram)} />
      <ChartTable bars={bars} stepSeconds={histogram.step_seconds} hrefFor={hrefFor} onZoom={onZoom} />
    </figure>
  );
}

function Segments({ bar, highest }: { bar: ChartBar; highest: number }) {
  const parts = [
    ['ok', bar.ok],
    ['client', bar.client_errors],
    ['server', bar.server_errors],
  ] as const;
  return parts.map(([tone, count]) =>
    count === 0 ? null : (
      <span
        key={tone}
        className={`${styles.segment} ${styles[tone]}`}
        style={{ height: `${(count / highest) * 100}%` }}
      />
    ),
  );
}

function Legend() {
  return (
    <Group gap="sm" wrap="nowrap" aria-hidden>
      {(['ok', 'client', 'server'] as const).map((tone, index) => (
        <span key={tone} className={styles.legend}>
          <span className={`${styles.dot} ${styles[tone]}`} />
          {['2xx', '4xx', '5xx'][index]}
        </span>
      ))}
    </Group>
  );
}
