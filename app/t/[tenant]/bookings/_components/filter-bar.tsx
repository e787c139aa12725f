'use client';

import type { ReactNode } from 'react';
import { BOOKING_FIELDS } from '@/lib/control-center/filters/fields';
import { FilterFields, recordSelect } from '../../_components/filters/filter-fields';
import { STATUS_NAMES } from './format';
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

const NAMES = { ...STATUS_NAMES, any: 'Any status' };

const STATUS_OPTIONS = BOOKING_FIELDS.status.values.map((value) => ({ value, label: NAMES[value] }));

/** The list's period and filters. */
export function FilterBar({ query, choices, go, ...buttons }: Props) {
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
        status: { label: 'Status', any: 'All except canceled', options: STATUS_OPTIONS },
        location: recordSelect('location', choices?.locations),
        service: recordSelect('service', choices?.services),
        specialist: recordSelect('specialist', choices?.specialists),
        application: recordSelect('application', choices?.applications),
      }}
      none={FILTER.none}
      cols={{ base: 3, lg: 6 }}
    />
  );
}
