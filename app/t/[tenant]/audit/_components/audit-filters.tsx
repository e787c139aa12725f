'use client';

import { Button, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { Outputs } from '../../_components/api-types';
import { withCurrent } from '../../_components/forms/select-options';
import { toWords } from './format';
import { type AuditQuery, isFiltered, NO_FILTERS } from './query';

type Props = {
  query: AuditQuery;
  choices: Outputs['audit']['choices'] | undefined;
  go: (patch: Partial<AuditQuery>) => void;
  /** Elements that follow the filters in the same grid. */
  children: ReactNode;
};

/** The filters of the audit log. Each change applies immediately. */
export function AuditFilters({ query, choices, go, children }: Props) {
  const people = (choices?.people ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const actions = (choices?.actions ?? []).map((action) => ({ value: action, label: toWords(action) }));
  const kinds = (choices?.kinds ?? []).map((kind) => ({ value: kind, label: toWords(kind) }));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" verticalSpacing="xs" style={{ alignItems: 'end' }}>
      <NativeSelect
        label="Person"
        value={query.person ?? ''}
        onChange={(event) => go({ person: event.currentTarget.value || null })}
        data={withCurrent(
          [
            { value: '', label: 'Anyone' },
            ...people,
            { value: 'operator', label: 'Operator' },
            { value: 'system', label: 'System' },
          ],
          query.person,
        )}
      />
      <NativeSelect
        label="Action"
        value={query.action ?? ''}
        onChange={(event) => go({ action: event.currentTarget.value || null })}
        data={withCurrent([{ value: '', label: 'Any action' }, ...actions], query.action)}
      />
      <NativeSelect
        label="Object type"
        value={query.kind ?? ''}
        onChange={(event) => go({ kind: event.currentTarget.value || null })}
        data={withCurrent([{ value: '', label: 'Any type' }, ...kinds], query.kind)}
      />
      <ObjectField value={query.object} onChange={(object) => go({ object })} />
      <DateField label="From" value={query.from} onChange={(from) => go({ from })} />
      <DateField label="To" value={query.to} onChange={(to) => go({ to })} />
      <Button variant="default" disabled={!isFiltered(query)} onClick={() => go(NO_FILTERS)}>
        Clear filters
      </Button>
      {children}
    </SimpleGrid>
  );
}

type FieldProps = { value: string | null; onChange: (value: string | null) => void };

/** The field for the ID of an object. The list is filtered when the user presses Enter or leaves the field. */
function ObjectField({ value, onChange }: FieldProps) {
  const [text, setText] = useState(value ?? '');
  useEffect(() => setText(value ?? ''), [value]);
  const apply = () => {
    const id = text.trim() || null;
    if (id !== value) onChange(id);
  };
  return (
    <TextInput
      label="Object"
      placeholder="ID or booking reference"
      value={text}
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  );
}

function DateField({ label, value, onChange }: FieldProps & { label: string }) {
  return (
    <TextInput
      label={label}
      type="date"
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}
