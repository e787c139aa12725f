'use client';

import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { readPasted } from './pasted';
import { type RequestsQuery, requestHref } from './query';

type Props = { query: RequestsQuery; go: (patch: Partial<RequestsQuery>) => void };

/** One box for a request id, a booking reference or an external reference; a pasted request id opens at once. */
export function SearchBox({ query, go }: Props) {
  const router = useRouter();
  const [text, setText] = useState(query.reference ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  // The back button changes the address: the box follows.
  useEffect(() => setText(query.reference ?? ''), [query.reference]);

  const search = (given: string) => {
    const pasted = readPasted(given);
    setProblem(pasted.kind === 'refused' ? pasted.why : null);
    if (pasted.kind === 'request') router.push(requestHref(pasted.id));
    // A reference is looked for in everything that is kept, not only in the last hours.
    if (pasted.kind === 'reference') go({ reference: pasted.reference, period: '30d' });
    if (pasted.kind === 'nothing' && query.reference !== null) go({ reference: null });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search(text);
  };
  const clear = () => {
    setText('');
    setProblem(null);
    if (query.reference !== null) go({ reference: null });
    input.current?.focus();
  };
  return (
    <search>
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            ref={input}
            flex={1}
            aria-label="Request id, booking reference or external reference"
            placeholder="Request id, booking reference or external reference"
            value={text}
            error={problem}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setProblem(null);
            }}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData('text');
              if (readPasted(pasted).kind === 'request') search(pasted);
            }}
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={
              text !== '' && (
                <ActionIcon variant="subtle" color="gray" onClick={clear} aria-label="Clear the search">
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              )
            }
          />
          <Button type="submit" variant="default">
            Find
          </Button>
        </Group>
      </form>
    </search>
  );
}
