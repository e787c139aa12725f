'use client';

import { Button, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { wordsOf } from './format';
import { type AuditQuery, type Choices, isFiltered, NO_FILTERS } from './query';

type Props = { query: AuditQuery; choices: Choices | undefined; go: (patch: Partial<AuditQuery>) => void };

/** What the list is narrowed to. Each choice counts at once and stands in the address. */
export function AuditFilters({ query, choices, go }: Props) {
  const people = (choices?.people ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const kinds = (choices?.kinds ?? []).map((kind) => ({ value: kind, label: wordsOf(kind) }));
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 6 }} spacing="sm" verticalSpacing="xs" style={{ alignItems: 'end' }}>
      <NativeSelect
        label="Person"
        value={query.person ?? ''}
        onChange={(event) => go({ person: event.currentTarget.value || null })}
        data={withCurrent(
          [{ value: '', label: 'Anybody' }, ...people, { value: 'system', label: 'The system' }],
          query.person,
        )}
      />
      <NativeSelect
        label="Kind of object"
        value={query.kind ?? ''}
        onChange={(event) => go({ kind: event.currentTarget.value || null })}
        data={withCurrent([{ value: '', label: 'Anything' }, ...kinds], query.kind)}
      />
      <ObjectField value={query.object} onChange={(object) => go({ object })} />
      <DateField label="From" value={query.from} onChange={(from) => go({ from })} />
      <DateField label="To" value={query.to} onChange={(to) => go({ to })} />
      <Button variant="default" disabled={!isFiltered(query)} onClick={() => go(NO_FILTERS)}>
        Clear filters
      </Button>
    </SimpleGrid>
  );
}

type Option = { value: string; label: string };

/** A value of the address that is not among the choices is still shown: the list is narrowed by it. */
function withCurrent(options: Option[], current: string | null): Option[] {
  if (current === null || options.some(({ value }) => value === current)) return options;
  return [...options, { value: current, label: current }];
}

type FieldProps = { value: string | null; onChange: (value: string | null) => void };

/** The id of an object counts when it is whole: on Enter, or on leaving the field. */
function ObjectField({ value, onChange }: FieldProps) {
  const [text, setText] = useState(value ?? '');
  useEffect(() => setText(value ?? ''), [value]);
  const apply = () => {
    const wanted = text.trim() || null;
    if (wanted !== value) onChange(wanted);
  };
  return (
    <TextInput
      label="Object"
      placeholder="Id or booking reference"
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
