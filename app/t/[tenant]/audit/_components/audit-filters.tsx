'use client';

import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Outputs } from '../../_components/api-types';
import { FilterFields, optionsOf, TextFilter } from '../../_components/filters/filter-fields';
import { actionName, kindName } from './format';
import { type AuditQuery, NO_FILTERS } from './query';

type Props = {
  query: AuditQuery;
  choices: Outputs['audit']['choices'] | undefined;
  go: (patch: Partial<AuditQuery>) => void;
  exporter: ReactNode;
};

/** The filters of the audit log. */
export function AuditFilters({ query, choices, go, exporter }: Props) {
  const t = useTranslations('audit');
  const others = (['operator', 'system'] as const).map((value) => ({ value, label: t(`actors.${value}`) }));
  const actions = (choices?.actions ?? []).map((value) => ({ value, label: actionName(t, value) }));
  const kinds = (choices?.kinds ?? []).map((value) => ({ value, label: kindName(t, value) }));
  return (
    <FilterFields
      query={query}
      go={go}
      selects={{
        person: {
          ...{ label: t('filters.person'), any: t('filters.anyone') },
          options: [...optionsOf(choices?.people), ...others],
        },
        action: { label: t('filters.action'), any: t('filters.anyAction'), options: actions },
        kind: { label: t('filters.kind'), any: t('filters.anyKind'), options: kinds },
      }}
      none={NO_FILTERS}
      cols={{ base: 2, md: 4 }}
      exporter={exporter}
    >
      <TextFilter
        label={t('filters.object')}
        placeholder={t('filters.objectHint')}
        maxLength={200}
        value={query.object}
        onChange={(object) => go({ object })}
      />
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          label={t(`filters.${name}`)}
          type="date"
          value={query[name] ?? ''}
          onChange={(event) => go({ [name]: event.currentTarget.value || null })}
        />
      ))}
    </FilterFields>
  );
}
