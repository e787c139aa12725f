'use client';

import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { useRouter } from 'next/navigation';
import { type ClipboardEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { useTenantHref } from '@/app/_components/tenant';
import { readPasted } from '../../_components/search/pasted';
import { type RequestsQuery, requestHref } from './query';

const LABEL = 'Request ID, booking reference, or external reference';

type Props = { query: RequestsQuery; go: (patch: Partial<RequestsQuery>) => void };

function useSearch({ query, go }: Props) {
  const router = useRouter();
  const hrefOf = useTenantHref();
  const [text, setText] = useState(query.reference ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  // Updates the field when something else changes the URL, such as the Back button.
  useEffect(() => setText(query.reference ?? ''), [query.reference]);
  const change = (given: string) => {
    setText(given);
    setProblem(null);
  };
  const search = (given: string) => {
    const pasted = readPasted(given);
    setProblem(pasted.kind === 'refused' ? pasted.why : null);
    if (pasted.kind === 'request') router.push(hrefOf(requestHref(pasted.id)));
    // A search by reference covers all stored requests, which are at most 30 days old.
    if (pasted.kind === 'reference') go({ reference: pasted.reference, period: '30d' });
    if (pasted.kind === 'nothing' && query.reference !== null) go({ reference: null });
  };
  return { text, problem, change, search };
}

/**
 * Searches the requests by request ID or reference. When the user pastes a request ID, the page of this request opens
 * immediately.
 */
export function SearchBox({ query, go }: Props) {
  const { text, problem, change, search } = useSearch({ query, go });
  const input = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search(text);
  };
  const clear = () => {
    change('');
    search('');
    input.current?.focus();
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    if (readPasted(pasted).kind === 'request') search(pasted);
  };
  return (
    <search>
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            ref={input}
            name="reference"
            flex={1}
            aria-label={LABEL}
            placeholder={LABEL}
            value={text}
            error={problem}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change(event.currentTarget.value)}
            onPaste={paste}
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={text !== '' && <Clear onClick={clear} />}
          />
          <Button type="submit" variant="default">
            Find
          </Button>
        </Group>
      </form>
    </search>
  );
}

function Clear({ onClick }: { onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" onClick={onClick} aria-label="Clear search">
      <IconX size={14} aria-hidden />
    </ActionIcon>
  );
}
