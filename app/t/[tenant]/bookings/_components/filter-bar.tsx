'use client';

import { Button, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { NarrowFilters } from '../../_components/forms/narrow-filters';
import { type Option, withCurrent } from '../../_components/forms/select-options';
import { ExportButton } from '../../_components/tables/export-button';
import { STATUS_NAMES } from './format';
import { PeriodPicker } from './period-picker';
import { type BookingsQuery, filterCount, filterInput, isFiltered, NO_FILTERS, STATUSES } from './query';
import type { Choices } from './types';

type Props = { query: BookingsQuery; choices: Choices | undefined; go: (patch: Partial<BookingsQuery>) => void };

const CHOSEN = [...STATUSES, 'any'] as const;

const STATUS_OPTIONS: Option[] = [
  { value: '', label: 'All except canceled' },
  { value: 'any', label: 'Any status' },
  ...STATUSES.map((status) => ({ value: status, label: STATUS_NAMES[status] })),
];

/** The list's filters on a wide screen. Each change applies immediately and is kept in the URL. */
export function FilterBar(props: Props) {
  const { query, go } = props;
  return (
    <SimpleGrid
      visibleFrom="sm"
      cols={{ base: 3, lg: 6 }}
      spacing="sm"
      verticalSpacing="xs"
      style={{ alignItems: 'end' }}
    >
      <Fields {...props} />
      <Button variant="default" disabled={!isFiltered(query)} onClick={() => go(NO_FILTERS)}>
        Clear filters
      </Button>
    </SimpleGrid>
  );
}

/** The button of a narrow screen that opens the list's period and filters. */
export function FilterButton({ exports, ...props }: Props & { exports: boolean }) {
  const { query, go } = props;
  const clear = () => go({ ...NO_FILTERS, period: 'upcoming', direction: null });
  return (
    <NarrowFilters count={filterCount(query)} onClear={filterCount(query) > 0 ? clear : null}>
      <PeriodPicker query={query} go={go} />
      <Stack gap="sm">
        <Fields {...props} />
        {exports && <ExportButton list="bookings" input={filterInput(query)} />}
      </Stack>
    </NarrowFilters>
  );
}

function Fields({ query, choices, go }: Props) {
  const record = (name: 'location' | 'service' | 'specialist' | 'application') => ({
    value: query[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) => go({ [name]: event.currentTarget.value || null }),
    data: recordOptions(name, choices?.[`${name}s`] ?? [], query[name]),
  });
  return (
    <>
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
    </>
  );
}

function recordOptions(kind: string, records: readonly { id: string; name: string }[], current: string | null) {
  const options = records.map(({ id, name }) => ({ value: id, label: name }));
  return withCurrent([{ value: '', label: `Any ${kind}` }, ...options], current, `Unknown ${kind}`);
}
