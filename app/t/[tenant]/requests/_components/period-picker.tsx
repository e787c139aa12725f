'use client';

import { Button, Group, SegmentedControl, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { PERIODS, type Period, type RequestsQuery } from './query';

type Props = { query: RequestsQuery; go: (patch: Partial<RequestsQuery>) => void };

const HOURS: Record<string, number> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };

/** Selects the period of the list: either a period that ends now, or a custom time range. */
export function PeriodPicker({ query, go }: Props) {
  const t = useTranslations('requests.period');
  const choose = (value: string) => {
    const period = value as Period;
    if (period !== 'custom') return go({ period });
    // The custom period initially covers the same time range as the current period.
    const to = new Date();
    const from = new Date(to.getTime() - (HOURS[query.period] ?? 24) * 3_600_000);
    go({ period, from: from.toISOString(), to: to.toISOString() });
  };
  return (
    <Group gap="sm" align="flex-start">
      <SegmentedControl
        aria-label={t('label')}
        value={query.period}
        onChange={choose}
        data={PERIODS.map((value) => ({ value, label: t(`names.${value}`) }))}
      />
      {query.period === 'custom' && <CustomPeriod query={query} go={go} />}
    </Group>
  );
}

function CustomPeriod({ query, go }: Props) {
  const t = useTranslations('requests.period');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  useEffect(() => {
    setFrom(localText(query.from));
    setTo(localText(query.to));
  }, [query.from, query.to]);
  const isOrdered = from !== '' && to !== '' && from < to;
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (isOrdered) go({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
  };
  return (
    <form onSubmit={apply}>
      <Group gap="xs" align="flex-start">
        <TimestampField label={t('from')} value={from} onChange={setFrom} />
        <TimestampField label={t('to')} value={to} onChange={setTo} error={isOrdered ? null : t('order')} />
        <Button type="submit" variant="default" disabled={!isOrdered}>
          {t('apply')}
        </Button>
      </Group>
    </form>
  );
}

type FieldProps = { label: string; value: string; onChange: (value: string) => void; error?: string | null };

function TimestampField({ label, value, onChange, error = null }: FieldProps) {
  return (
    <TextInput
      type="datetime-local"
      step={1}
      aria-label={label}
      leftSection={<span aria-hidden>{label}</span>}
      leftSectionWidth={52}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Converts a timestamp to the value of a `datetime-local` field, in the reader's time zone. */
function localText(timestamp: string | null): string {
  if (timestamp === null) return '';
  const at = new Date(timestamp);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
