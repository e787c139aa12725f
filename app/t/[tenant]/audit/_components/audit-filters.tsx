'use client';

import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Outputs } from '../../_components/api-types';
import { FilterFields, optionsOf, TextFilter } from '../../_components/filters/filter-fields';
import { toWords } from './format';
import { type AuditQuery, NO_FILTERS } from './query';

type Props = {
  query: AuditQuery;
  choices: Outputs['audit']['choices'] | undefined;
  go: (patch: Partial<AuditQuery>) => void;
  exporter: ReactNode;
};

const OTHERS = [
  { value: 'operator', label: 'Operator' },
  { value: 'system', label: 'System' },
];

const inWords = (values: readonly string[] = []) => values.map((value) => ({ value, label: toWords(value) }));

/** The filters of the audit log. */
export function AuditFilters({ query, choices, go, exporter }: Props) {
  return (
    <FilterFields
      query={query}
      go={go}
      selects={{
        person: { label: 'Person', any: 'Anyone', options: [...optionsOf(choices?.people), ...OTHERS] },
        action: { label: 'Action', any: 'Any action', options: inWords(choices?.actions) },
        kind: { label: 'Object type', any: 'Any type', options: inWords(choices?.kinds) },
      }}
      none={NO_FILTERS}
      cols={{ base: 2, md: 4 }}
      exporter={exporter}
    >
      <TextFilter
        label="Object"
        placeholder="ID or booking reference"
        maxLength={200}
        value={query.object}
        onChange={(object) => go({ object })}
      />
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          label={name === 'from' ? 'From' : 'To'}
          type="date"
          value={query[name] ?? ''}
          onChange={(event) => go({ [name]: event.currentTarget.value || null })}
        />
      ))}
    </FilterFields>
  );
}
