'use client';

import { Button, Group, SegmentedControl, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { FilterFields, optionsOf } from '../../_components/filters/filter-fields';
import { shortRoute } from './format';
import { FILTER, PERIODS, type Period, type RequestsQuery } from './query';
import type { Choices } from './types';

type Props = {
  query: RequestsQuery;
  choices: Choices | undefined;
  go: (patch: Partial<RequestsQuery>) => void;
  exporter: ReactNode;
  actions: ReactNode;
};

const CLASSES = ['2xx', 'error', '4xx', '5xx'] as const;

const same = (values: readonly (string | number)[] = []) =>
  values.map((value) => ({ value: `${value}`, label: `${value}` }));

/** The list's period and filters. */
export function FilterBar({ query, choices, go, ...buttons }: Props) {
  const t = useTranslations('requests.filters');
  const column = useTranslations('requests.table');
  const classes = CLASSES.map((value) => ({ value, label: t(`classes.${value}`) }));
  const routes = (choices?.routes ?? []).map((route) => ({ value: route, label: shortRoute(route) }));
  return (
    <FilterFields
      query={query}
      // A key belongs to one application, so changing the application clears the key filter.
      go={(patch) => go('application' in patch ? { key: null, ...patch } : patch)}
      period={{
        picker: <PeriodPicker query={query} go={go} />,
        isDefault: query.period === '24h',
        reset: { period: '24h' },
      }}
      {...buttons}
      selects={{
        status: { label: column('status'), any: t('anyStatus'), options: [...classes, ...same(choices?.statuses)] },
        code: { label: column('code'), any: t('anyCode'), options: same(choices?.codes) },
        ...(query.reason !== null && { reason: { label: t('reason'), any: t('anyReason'), options: [] } }),
        route: { label: column('route'), any: t('anyRoute'), options: routes },
        application: { of: 'application', options: optionsOf(choices?.applications) },
        key: { of: 'key', options: optionsOf(keysOf(choices, query.application)) },
      }}
      none={FILTER.none}
      cols={{ base: 3, lg: 6 }}
    />
  );
}

function keysOf(choices: Choices | undefined, application: string | null) {
  return (choices?.applications ?? [])
    .filter(({ id }) => application === null || id === application)
    .flatMap(({ keys, name: partner }) =>
      keys.map(({ id, name, last_four }) => ({
        id,
        name: application === null ? `${name} …${last_four} (${partner})` : `${name} …${last_four}`,
      })),
    );
}

type PeriodPickerProps = { query: RequestsQuery; go: (patch: Partial<RequestsQuery>) => void };

const HOURS: Record<string, number> = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 };

function PeriodPicker({ query, go }: PeriodPickerProps) {
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

function CustomPeriod({ query, go }: PeriodPickerProps) {
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

function localText(timestamp: string | null): string {
  if (timestamp === null) return '';
  const at = new Date(timestamp);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}
