'use client';

import { Button, Group, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import type { BookingsQuery } from './query';

const WHAT = 'Booking reference or external reference';

type Props = { query: BookingsQuery; go: (patch: Partial<BookingsQuery>) => void };

/** One box for either reference, compared as a whole. */
export function ReferenceSearch({ query, go }: Props) {
  const [text, setText] = useState(query.reference ?? '');
  // The back button changes the address: the box follows.
  useEffect(() => setText(query.reference ?? ''), [query.reference]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const reference = text.trim() || null;
    // A reference is looked for at any time, not only in what is ahead.
    go(reference === null ? { reference } : { reference, period: 'all' });
  };
  return (
    <search>
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            flex={1}
            aria-label={WHAT}
            placeholder={WHAT}
            value={text}
            maxLength={128}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setText(event.currentTarget.value)}
            leftSection={<IconSearch size={16} aria-hidden />}
          />
          <Button type="submit" variant="default">
            Find
          </Button>
        </Group>
      </form>
    </search>
  );
}
