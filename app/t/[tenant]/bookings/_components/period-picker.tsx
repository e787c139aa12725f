'use client';

import { Group, SegmentedControl, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { BookingsQuery } from './query';

type Props = { query: BookingsQuery; go: (patch: Partial<BookingsQuery>) => void };

const PERIODS = ['upcoming', 'past', 'all', 'dates'] as const satisfies BookingsQuery['period'][];

/** Selects which bookings are listed: upcoming, past, or all, or those between two local dates. */
export function PeriodPicker({ query, go }: Props) {
  const t = useTranslations('bookings.period');
  const { period, from, to } = query;
  const isOrdered = from === null || to === null || from <= to;
  const choose = (value: string) => go({ period: value as BookingsQuery['period'], direction: null });
  return (
    <Group gap="sm" align="flex-start">
      <SegmentedControl
        aria-label={t('label')}
        value={period}
        onChange={choose}
        data={PERIODS.map((value) => ({ value, label: t(value) }))}
      />
      {period === 'dates' && (
        <Group gap="xs" align="flex-start">
          <DateField label={t('from')} value={from} onChange={(date) => go({ from: date })} />
          <DateField
            label={t('to')}
            value={to}
            onChange={(date) => go({ to: date })}
            error={isOrdered ? null : t('order')}
          />
        </Group>
      )}
    </Group>
  );
}

type FieldProps = {
  label: string;
  value: string | null;
  onChange: (date: string | null) => void;
  error?: string | null;
};

export function DateField({ label, value, onChange, error = null }: FieldProps) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      leftSection={<span aria-hidden>{label}</span>}
      leftSectionWidth={52}
      value={value ?? ''}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}
