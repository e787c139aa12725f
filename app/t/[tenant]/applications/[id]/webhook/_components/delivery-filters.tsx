'use client';

import { Button, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { DELIVERED_TYPES, type DeliveriesQuery, isFiltered, NO_FILTERS } from './query';
import { STATE_NAMES, STATES } from './words';

type Props = { query: DeliveriesQuery; go: (patch: Partial<DeliveriesQuery>) => void };

const STATE_OPTIONS = [
  { value: '', label: 'Any status' },
  ...STATES.map((state) => ({ value: state, label: STATE_NAMES[state] })),
];

const TYPE_OPTIONS = [
  { value: '', label: 'Any type' },
  ...DELIVERED_TYPES.map((type) => ({ value: type, label: type })),
];

/** The filters of the delivery list. */
export function DeliveryFilters({ query, go }: Props) {
  const [text, setText] = useState(query.reference ?? '');
  // Updates the field when something else changes the URL, such as the Back button.
  useEffect(() => setText(query.reference ?? ''), [query.reference]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    go({ reference: text.trim() || null });
  };
  return (
    <search>
      <form onSubmit={submit}>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="sm" style={{ alignItems: 'end' }}>
          <NativeSelect
            label="Status"
            value={query.state ?? ''}
            onChange={({ currentTarget: { value } }) => go({ state: STATES.find((state) => state === value) ?? null })}
            data={STATE_OPTIONS}
          />
          <NativeSelect
            label="Event type"
            value={query.type ?? ''}
            onChange={({ currentTarget: { value } }) =>
              go({ type: DELIVERED_TYPES.find((type) => type === value) ?? null })
            }
            data={TYPE_OPTIONS}
          />
          <TextInput
            label="Booking, event, or delivery"
            placeholder="pbr_… evt_… dlv_…"
            value={text}
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button variant="default" type="button" disabled={!isFiltered(query)} onClick={() => go(NO_FILTERS)}>
            Clear filters
          </Button>
        </SimpleGrid>
      </form>
    </search>
  );
}
