'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { FilterFields, optionsOf } from '../../_components/filters/filter-fields';
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

const CLASSES = ['2xx', 'error', '4xx', '5xx'] as const;

const same = (values: readonly (string | number)[] = []) =>
  values.map((value) => ({ value: `${value}`, label: `${value}` }));

/** The list's period and filters. */
export function FilterBar({ query, choices, go, ...buttons }: Props) {
  const t = useTranslations('requests.filters');
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
        status: { label: t('status'), any: t('anyStatus'), options: [...classes, ...same(choices?.statuses)] },
        code: { label: t('code'), any: t('anyCode'), options: same(choices?.codes) },
        ...(query.reason !== null && { reason: { label: t('reason'), any: t('anyReason'), options: [] } }),
        route: { label: t('route'), any: t('anyRoute'), options: routes },
        application: {
          ...{ label: t('application'), any: t('anyApplication'), unknown: t('unknownApplication') },
          options: optionsOf(choices?.applications),
        },
        key: {
          ...{ label: t('key'), any: t('anyKey'), unknown: t('unknownKey') },
          options: optionsOf(keysOf(choices, query.application)),
        },
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
