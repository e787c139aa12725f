'use client';

import { Button, Group, SegmentedControl, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import type { Period, RequestsQuery } from './query';

type Props = { query: RequestsQuery; go: (patch: Partial<RequestsQuery>) => void };

const NAMES: { value: Period; label: string }[] = [
  { value: '1h', label: 'Hour' },
  { value: '24h', label: '24 h' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: 'custom', label: 'Custom' },
];

const HOURS: Record<string, number> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };

/** The time that the page is about: one that ends now, or from one moment to another. */
export function PeriodPicker({ query, go }: Props) {
  const choose = (value: string) => {
    const period = value as Period;
    if (period !== 'custom') return go({ period });
    // A custom period begins as the one that was shown, to be narrowed.
    const to = new Date();
    const from = new Date(to.getTime() - (HOURS[query.period] ?? 24) * 3_600_000);
    go({ period, from: from.toISOString(), to: to.toISOString() });
  };
  return (
    <Group gap="sm" align="flex-start">
      <SegmentedControl aria-label="Period" value={query.period} onChange={choose} data={NAMES} />
      {query.period === 'custom' && <CustomPeriod query={query} go={go} />}
    </Group>
  );
}

function CustomPeriod({ query, go }: Props) {
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
        <Moment label="From" value={from} onChange={setFrom} />
        <Moment label="To" value={to} onChange={setTo} error={isOrdered ? null : 'Must be after the start.'} />
        <Button type="submit" variant="default" disabled={!isOrdered}>
          Show
        </Button>
      </Group>
    </form>
  );
}

type MomentProps = { label: string; value: string; onChange: (value: string) => void; error?: string | null };

function Moment({ label, value, onChange, error = null }: MomentProps) {
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

/** Returns a moment as such a field wants it: the reader's wall clock, to the second. */
function localText(instant: string | null): string {
  if (instant === null) return '';
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
