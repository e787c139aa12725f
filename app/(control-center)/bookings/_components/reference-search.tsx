'use client';

import { Button, Group, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type FormEvent, useEffect, useState } from 'react';
import { type Pasted, readPasted } from '../../_components/pasted';
import type { BookingsQuery } from './query';

const LABEL = 'Booking reference or external reference';

type Props = { query: BookingsQuery; go: (patch: Partial<BookingsQuery>) => void };

/** Searches for a booking reference or an external reference. The whole reference must match. */
export function ReferenceSearch({ query, go }: Props) {
  const [text, setText] = useState(query.reference ?? '');
  // Updates the field when something else changes the URL, such as the Back button.
  useEffect(() => setText(query.reference ?? ''), [query.reference]);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const pasted = readPasted(text);
    setProblem(problemOf(pasted));
    // A search for a reference covers all periods.
    if (pasted.kind === 'reference') go({ reference: pasted.reference, period: 'all' });
    if (pasted.kind === 'nothing') go({ reference: null });
  };
  return (
    <search>
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            flex={1}
            aria-label={LABEL}
            placeholder={LABEL}
            value={text}
            autoComplete="off"
            spellCheck={false}
            error={problem}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setProblem(null);
            }}
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

function problemOf(pasted: Pasted): string | null {
  if (pasted.kind === 'request') return 'This is a request ID. Search for it on the Requests page.';
  return pasted.kind === 'refused' ? pasted.why : null;
}
