'use client';

import { Group, Paper, SegmentedControl, Skeleton, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { type Translator, useFormats } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';
import type { AttemptBar } from '../../../../_components/api-types';
import { ErrorState } from '../../../../_components/states';
import { Table } from '../../../../_components/tables/table';
import { ChartDetails } from '../../../../_components/time/chart-details';
import { TimeAxis } from '../../../../_components/time/time-axis';
import { useTRPC } from '../../../../_components/trpc';
import { spanOf } from '../../../../requests/_components/chart-bars';
import { Legend, Segments } from '../../../../requests/_components/chart-parts';
import styles from '../../../../requests/_components/requests.module.css';

const DAY_SECONDS = 86_400;

function spanOfBar({ from, to }: Pick<AttemptBar, 'from' | 'to'>, stepSeconds: number, format: Formats): string {
  return spanOf({ from, to: stepSeconds >= DAY_SECONDS ? from : to }, stepSeconds, format);
}

type Counts = Pick<AttemptBar, 'succeeded' | 'failed'>;

function totalOf({ succeeded, failed }: Counts): number {
  return succeeded + failed;
}

function attemptsSentence(t: Translator<'webhooks.chart'>, bars: readonly Counts[]): string {
  const count = bars.reduce((sum, bar) => sum + totalOf(bar), 0);
  const failed = bars.reduce((sum, bar) => sum + bar.failed, 0);
  return failed === 0 ? t('attempts', { count }) : t('attemptsFailed', { count, failed });
}

type Period = '24h' | '7d';

const STEP_SECONDS: Record<Period, number> = { '24h': 3_600, '7d': 86_400 };

/** A chart of an endpoint's attempts: per hour over the last day, or per day over the last seven days. */
export function AttemptChart({ applicationId }: { applicationId: string }) {
  const t = useTranslations('webhooks.chart');
  const trpc = useTRPC();
  const [period, setPeriod] = useState<Period>('24h');
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const input = { application_id: applicationId, period, time_zone };
  const attempts = useQuery({
    ...trpc.webhooks.attempts.queryOptions(input),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  return (
    <Paper component="section" withBorder p="lg" bg="var(--app-surface)" aria-labelledby="attempts">
      <Group justify="space-between" mb="sm">
        <Title id="attempts" order={2} size="h4">
          {t('title')}
        </Title>
        <SegmentedControl
          aria-label={t('period')}
          value={period}
          onChange={(value) => setPeriod(value as Period)}
          data={[
            { value: '24h', label: t('day') },
            { value: '7d', label: t('week') },
          ]}
        />
      </Group>
      {attempts.data ? (
        <Chart bars={attempts.data.bars} stepSeconds={STEP_SECONDS[attempts.data.period]} />
      ) : attempts.isError ? (
        <ErrorState error={attempts.error} retry={() => void attempts.refetch()} />
      ) : (
        <Skeleton className={styles.chartBox} radius="md" />
      )}
    </Paper>
  );
}

type ChartProps = { bars: AttemptBar[] | null; stepSeconds: number };

function Chart({ bars, stepSeconds }: ChartProps) {
  const t = useTranslations('webhooks.chart');
  const format = useFormats();
  const [first, last] = [bars?.[0], bars?.at(-1)];
  if (!bars || !first || !last) {
    return <Hint>{t('tooMany')}</Hint>;
  }
  return (
    <figure className={`${styles.chart} ${styles.chartBox}`} aria-label={t('label')}>
      <Bars bars={bars} stepSeconds={stepSeconds} />
      <TimeAxis from={Date.parse(first.from)} to={Date.parse(last.to)} />
      <ChartDetails
        label={t('asTable')}
        note={t('note')}
        columns={[t('time'), t('succeeded'), t('failed')]}
        rows={() =>
          bars
            .filter((bar) => totalOf(bar) > 0)
            .map((bar) => (
              <Table.Tr key={bar.from}>
                <Table.Th scope="row" role="rowheader" style={{ fontWeight: 400 }}>
                  {spanOfBar(bar, stepSeconds, format)}
                </Table.Th>
                <Table.Td data-label={t('succeeded')}>{format.count(bar.succeeded)}</Table.Td>
                <Table.Td data-label={t('failed')}>{format.count(bar.failed)}</Table.Td>
              </Table.Tr>
            ))
        }
      />
    </figure>
  );
}

/** Users without a pointer find the data of each bar in the table. */
function Bars({ bars, stepSeconds }: { bars: AttemptBar[]; stepSeconds: number }) {
  const t = useTranslations('webhooks.chart');
  const format = useFormats();
  const [shown, setShown] = useState<number | null>(null);
  const highest = Math.max(1, ...bars.map(totalOf));
  const bar = shown === null ? undefined : bars[shown];
  return (
    <>
      <Group justify="space-between" gap="0 12px" className={styles.chartHead}>
        <Text size="sm" component="figcaption">
          {bar
            ? t('bar', { span: spanOfBar(bar, stepSeconds, format), attempts: attemptsSentence(t, [bar]) })
            : attemptsSentence(t, bars)}
        </Text>
        <Legend
          of={[
            ['ok', t('succeeded')],
            ['server', t('failed')],
          ]}
        />
      </Group>
      <div className={styles.plot} aria-hidden>
        <span className={styles.highest}>{format.count(highest)}</span>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the pointer only selects which sentence is shown. */}
        <div className={styles.bars} style={{ cursor: 'default' }} onMouseLeave={() => setShown(null)}>
          {bars.map((one, index) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only selects which sentence is shown.
            <div key={one.from} className={styles.bar} onMouseEnter={() => setShown(index)}>
              <Segments
                of={[
                  ['ok', one.succeeded],
                  ['server', one.failed],
                ]}
                highest={highest}
              />
            </div>
          ))}
        </div>
      </div>
    </>
  );
}
