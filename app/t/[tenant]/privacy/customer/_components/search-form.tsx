'use client';

import { Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { readName, readSearchedPhone } from '../../../bookings/_components/phone';
import type { FoundBy, Search } from './types';

const KINDS = [
  { value: 'phone', label: 'Phone number' },
  { value: 'name', label: 'Name' },
];

const HINTS: Record<FoundBy, string> = {
  phone: 'The whole number, with the country code or with the area code.',
  name: 'Whole words, in any order. Other people can have the same name.',
};

const PROBLEMS: Record<FoundBy, string> = {
  phone: 'Enter the whole number, such as +49 30 5550 1234 or 030 5550 1234.',
  name: 'Enter a name with a word of at least two letters, without digits.',
};

type Props = { busy: boolean; problem: string | null; onSearch: (search: Search, foundBy: FoundBy) => void };

/** The form that searches by phone number or name. What was entered stays in memory only. */
export function SearchForm({ busy, problem, onSearch }: Props) {
  const [kind, setKind] = useState<FoundBy>('phone');
  const [text, setText] = useState('');
  const [refused, setRefused] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const name = kind === 'name' ? readName(text) : null;
    const search = kind === 'phone' ? readSearchedPhone(text) : name === null ? null : { name };
    setRefused(search === null);
    if (search !== null) onSearch(search, kind);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm" maw={560}>
        <SegmentedControl
          aria-label="Search by"
          data={KINDS}
          value={kind}
          onChange={(value) => {
            setKind(value === 'name' ? 'name' : 'phone');
            setText('');
            setRefused(false);
          }}
          w="fit-content"
        />
        <Group align="flex-start" gap="sm">
          <TextInput
            label={kind === 'phone' ? 'Phone number of the customer' : 'Name of the customer'}
            description={HINTS[kind]}
            error={refused ? PROBLEMS[kind] : problem}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            maxLength={200}
            autoComplete="off"
            required
            flex={1}
            miw={260}
          />
        </Group>
        <Button type="submit" loading={busy} w="fit-content">
          Find data
        </Button>
      </Stack>
    </form>
  );
}
