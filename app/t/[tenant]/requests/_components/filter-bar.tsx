'use client';

import { Button, NativeSelect, SimpleGrid } from '@mantine/core';
import { type Option, withCurrent } from '../../_components/forms/select-options';
import { shortRoute } from './format';
import { isFiltered, NO_FILTERS, type RequestsQuery } from './query';
import type { Choices } from './types';

type Props = { query: RequestsQuery; choices: Choices | undefined; go: (patch: Partial<RequestsQuery>) => void };

/** The list's filters. Each change applies immediately and is kept in the URL. */
export function FilterBar({ query, choices, go }: Props) {
  const filter = (name: 'status' | 'code' | 'reason' | 'route' | 'application' | 'key') => ({
    value: query[name] ?? '',
    onChange: (event: { currentTarget: { value: string } }) => go({ [name]: event.currentTarget.value || null }),
  });
  return (
    <SimpleGrid cols={{ base: 2, md: 3, lg: 6 }} spacing="sm" verticalSpacing="xs" style={{ alignItems: 'end' }}>
      <NativeSelect label="Status" {...filter('status')} data={statusOptions(choices, query.status)} />
      <NativeSelect label="Code" {...filter('code')} data={codeOptions(choices, query.code)} />
      {query.reason !== null && (
        <NativeSelect label="Reason" {...filter('reason')} data={['', query.reason].map(reasonOption)} />
      )}
      <NativeSelect label="Route" {...filter('route')} data={routeOptions(choices, query.route)} />
      <NativeSelect
        label="Application"
        value={query.application ?? ''}
        // A key belongs to one application, so changing the application clears the key filter.
        onChange={(event) => go({ application: event.currentTarget.value || null, key: null })}
        data={applicationOptions(choices, query.application)}
      />
      <NativeSelect label="Key" {...filter('key')} data={keyOptions(choices, query)} />
      <Button variant="default" disabled={!isFiltered(query)} onClick={() => go(NO_FILTERS)}>
        Clear filters
      </Button>
    </SimpleGrid>
  );
}

function statusOptions(choices: Choices | undefined, current: string | null): Option[] {
  const exact = (choices?.statuses ?? []).map((status) => ({ value: String(status), label: String(status) }));
  const classes = [
    { value: '', label: 'Any status' },
    { value: '2xx', label: '2xx success' },
    { value: 'error', label: '4xx and 5xx' },
    { value: '4xx', label: '4xx refused' },
    { value: '5xx', label: '5xx failed' },
  ];
  return withCurrent([...classes, ...exact], current);
}

function codeOptions(choices: Choices | undefined, current: string | null): Option[] {
  const codes = (choices?.codes ?? []).map((code) => ({ value: code, label: code }));
  return withCurrent([{ value: '', label: 'Any code' }, ...codes], current);
}

const reasonOption = (reason: string): Option => ({ value: reason, label: reason || 'Any reason' });

function routeOptions(choices: Choices | undefined, current: string | null): Option[] {
  const routes = (choices?.routes ?? []).map((route) => ({ value: route, label: shortRoute(route) }));
  return withCurrent([{ value: '', label: 'Any route' }, ...routes], current);
}

function applicationOptions(choices: Choices | undefined, current: string | null): Option[] {
  const applications = (choices?.applications ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return withCurrent([{ value: '', label: 'Any application' }, ...applications], current, 'Unknown application');
}

function keyOptions(choices: Choices | undefined, { application, key }: RequestsQuery): Option[] {
  const keys = (choices?.applications ?? [])
    .filter(({ id }) => application === null || id === application)
    .flatMap((one) =>
      one.keys.map(({ id, name, last_four }) => ({
        value: id,
        label: application === null ? `${name} …${last_four} (${one.name})` : `${name} …${last_four}`,
      })),
    );
  return withCurrent([{ value: '', label: 'Any key' }, ...keys], key, 'Unknown key');
}
