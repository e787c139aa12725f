'use client';

import type { ReactNode } from 'react';
import { FilterFields, recordSelect } from '../../_components/filters/filter-fields';
import { shortRoute } from './format';
import { PeriodPicker } from './period-picker';
import { FILTER, type RequestsQuery } from './query';
import type { Choices } from './types';

type Props = {
  query: RequestsQuery;
  choices: Choices | undefined;
  go: (patch: Partial<RequestsQuery>) => void;
  exporter: ReactNode;
  /** The buttons beside the period. */
  actions: ReactNode;
};

const CLASSES = [
  { value: '2xx', label: '2xx success' },
  { value: 'error', label: '4xx and 5xx' },
  { value: '4xx', label: '4xx refused' },
  { value: '5xx', label: '5xx failed' },
];

const same = (values: readonly (string | number)[] = []) =>
  values.map((value) => ({ value: `${value}`, label: `${value}` }));

/** The list's period and filters. */
export function FilterBar({ query, choices, go, ...buttons }: Props) {
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
        status: { label: 'Status', any: 'Any status', options: [...CLASSES, ...same(choices?.statuses)] },
        code: { label: 'Code', any: 'Any code', options: same(choices?.codes) },
        ...(query.reason !== null && { reason: { label: 'Reason', any: 'Any reason', options: [] } }),
        route: { label: 'Route', any: 'Any route', options: routes },
        application: recordSelect('application', choices?.applications),
        key: recordSelect('key', keysOf(choices, query.application)),
      }}
      none={FILTER.none}
      cols={{ base: 3, lg: 6 }}
    />
  );
}

/** Returns the keys of the selected application, or of all applications. */
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
