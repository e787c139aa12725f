'use client';

import { Button, NativeSelect, SimpleGrid } from '@mantine/core';
import { type Option, withCurrent } from '../../_components/forms/select-options';
import { STATUS_NAMES } from './format';
import { type BookingsQuery, isFiltered, NO_FILTERS, STATUSES } from './query';
import type { Choices } from './types';

type Props = { query: BookingsQuery; choices: Choices | undefined; go: (patch: Partial<BookingsQuery>) => void };

const CHOSEN = [...STATUSES, 'any'] as const;

const STATUS_OPTIONS: Option[] = [
  { value: '', label: 'All except canceled' },
  { value: 'any', label: 'Any status' },
  ...STATUSES.map((status) => ({ value: status, label: STATUS_NAMES[status] })),
];

/** The list's filters. Each change applies immediately and is kept in the URL. */
export function FilterBar({ query, choices, go }: Props) {
  const record = (name: 'location' | 'service' | 'specialist' | 'application') => ({
    value: query[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) => go({ [name]: event.currentTarget.value || null }),
    data: recordOptions(name, choices?.[`${name}s`] ?? [], query[name]),
  });
  return (
    <SimpleGrid cols={{ base: 2, md: 3, lg: 6 }} spacing="sm" verticalSpacing="xs" style={{ alignItems: 'end' }}>
      <NativeSelect
        label="Status"
        value={query.status ?? ''}
        onChange={(event) => go({ status: CHOSEN.find((status) => status === event.currentTarget.value) ?? null })}
        data={STATUS_OPTIONS}
      />
      <NativeSelect label="Location" {...record('location')} />
      <NativeSelect label="Service" {...record('service')} />
      <NativeSelect label="Specialist" {...record('specialist')} />
      <NativeSelect label="Application" {...record('application')} />
      <Button variant="default" disabled={!isFiltered(query)} onClick={() => go(NO_FILTERS)}>
        Clear filters
      </Button>
    </SimpleGrid>
  );
}

function recordOptions(kind: string, records: readonly { id: string; name: string }[], current: string | null) {
  const options = records.map(({ id, name }) => ({ value: id, label: name }));
  return withCurrent([{ value: '', label: `Any ${kind}` }, ...options], current, `Unknown ${kind}`);
}
