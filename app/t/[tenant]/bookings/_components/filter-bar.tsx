'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { BOOKING_FIELDS } from '@/lib/control-center/filters/fields';
import { FilterFields, optionsOf } from '../../_components/filters/filter-fields';
import { PeriodPicker } from './period-picker';
import { type BookingsQuery, FILTER } from './query';
import type { Choices } from './types';

type Props = {
  query: BookingsQuery;
  choices: Choices | undefined;
  go: (patch: Partial<BookingsQuery>) => void;
  exporter: ReactNode;
  /** The buttons beside the period. */
  actions: ReactNode;
};

/** The list's period and filters. */
export function FilterBar({ query, choices, go, ...buttons }: Props) {
  const t = useTranslations('bookings.filters');
  const words = useTranslations('words.bookingStatus');
  const statuses = BOOKING_FIELDS.status.values.map((value) => ({
    value,
    label: value === 'any' ? t('anyStatus') : words(value),
  }));
  const record = (name: 'location' | 'service' | 'specialist' | 'application') => ({
    label: t(`${name}.label`),
    any: t(`${name}.any`),
    options: optionsOf(choices?.[`${name}s`]),
    unknown: t(`${name}.unknown`),
  });
  return (
    <FilterFields
      query={query}
      go={go}
      period={{
        picker: <PeriodPicker query={query} go={go} />,
        isDefault: query.period === 'upcoming',
        reset: { period: 'upcoming', direction: null },
      }}
      {...buttons}
      selects={{
        status: { label: t('status'), any: t('allExceptCanceled'), options: statuses },
        location: record('location'),
        service: record('service'),
        specialist: record('specialist'),
        application: record('application'),
      }}
      none={FILTER.none}
      cols={{ base: 3, lg: 6 }}
    />
  );
}
