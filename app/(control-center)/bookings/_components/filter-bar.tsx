'use client';

import { Button, NativeSelect, SimpleGrid } from '@mantine/core';
import { STATUS_NAMES } from './format';
import { type BookingsQuery, isFiltered, NO_FILTERS, STATUSES } from './query';
import type { Choices } from './types';

type Props = { query: BookingsQuery; choices: Choices | undefined; go: (patch: Partial<BookingsQuery>) => void };

type Option = { value: string; label: string };

const STATUS_OPTIONS: Option[] = [
  { value: '', label: 'Any status' },
  ...STATUSES.map((status) => ({ value: status, label: STATUS_NAMES[status] })),
];

/** What the list is narrowed to. Each choice counts at once and stands in the address. */
export function FilterBar({ query, choices, go }: Props) {
  const record = (name: 'location' | 'service' | 'specialist' | 'application') => ({
    value: query[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) => go({ [name]: event.currentTarget.value || null }),
    data: options(name, choices?.[`${name}s`] ?? [], query[name]),
  });
  return (
    <SimpleGrid cols={{ base: 2, md: 3, lg: 6 }} spacing="sm" verticalSpacing="xs" style={{ alignItems: 'end' }}>
      <NativeSelect
        label="Status"
        value={query.status ?? ''}
        onChange={(event) => go({ status: STATUSES.find((status) => status === event.currentTarget.value) ?? null })}
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

/** A value of the address that is not among the choices is still shown: the list is narrowed by it. */
function options(what: string, records: readonly { id: string; name: string }[], current: string | null): Option[] {
  const known = [{ value: '', label: `Any ${what}` }, ...records.map(({ id, name }) => ({ value: id, label: name }))];
  if (current === null || known.some(({ value }) => value === current)) return known;
  return [...known, { value: current, label: `Unknown ${what}` }];
}
