'use client';

import { Group, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { secretProblem } from '../../_components/pasted';
import type { ListQuery } from './use-list-query';

type Props = { query: ListQuery; onChange: (part: Partial<ListQuery>, how?: 'push' | 'replace') => void };

/** Milliseconds of rest after which what was typed is searched for. */
const REST = 250;

/** Search and filter of the list. */
export function ListToolbar({ query, onChange }: Props) {
  const [text, setText] = useState(query.search);
  const search = useDebouncedCallback((value: string) => {
    if (!secretProblem(value)) onChange({ search: value }, 'replace');
  }, REST);
  // Back, forward and "show all" change the address: the box follows.
  useEffect(() => setText(query.search), [query.search]);
  return (
    <Group gap="sm">
      <TextInput
        type="search"
        aria-label="Search by name or id"
        placeholder="Search by name or id"
        leftSection={<IconSearch size={16} aria-hidden />}
        w={{ base: '100%', xs: 300 }}
        maxLength={200}
        value={text}
        error={secretProblem(text)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          search(event.currentTarget.value);
        }}
      />
      <SegmentedControl
        aria-label="Status"
        value={query.status}
        onChange={(status) => onChange({ status: status as ListQuery['status'] })}
        data={[
          { value: 'any', label: 'All' },
          { value: 'active', label: 'Active' },
          { value: 'suspended', label: 'Suspended' },
        ]}
      />
    </Group>
  );
}
