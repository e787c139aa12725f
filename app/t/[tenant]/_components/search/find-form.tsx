'use client';

import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';

type Props = {
  label: string;
  value: string;
  busy?: boolean;
  /** Searches by a text. An empty text ends the search. Returns why the text cannot be searched for, or null. */
  find: (text: string) => string | null;
  /** Whether a pasted text is searched for immediately. */
  findsPasted?: (text: string) => boolean;
};

/** A form that searches a list by a whole text, such as a reference. */
export function FindForm({ label, value, busy = false, find, findsPasted }: Props) {
  const t = useTranslations('common.search');
  const [text, setText] = useState(value);
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  // Updates the field when something else changes the search, such as the Back button or the command palette.
  useEffect(() => setText(value), [value]);
  const change = (given: string) => {
    setText(given);
    setProblem(null);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProblem(find(text));
  };
  const clear = () => {
    change('');
    find('');
    input.current?.focus();
  };
  return (
    <search>
      <form onSubmit={submit}>
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            ref={input}
            flex={1}
            aria-label={label}
            placeholder={label}
            value={text}
            error={problem}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change(event.currentTarget.value)}
            onPaste={(event) => {
              const pasted = event.clipboardData.getData('text');
              if (findsPasted?.(pasted)) setProblem(find(pasted));
            }}
            leftSection={<IconSearch size={16} aria-hidden />}
            rightSection={
              text !== '' && (
                <ActionIcon variant="subtle" color="gray" onClick={clear} aria-label={t('clear')}>
                  <IconX size={14} aria-hidden />
                </ActionIcon>
              )
            }
          />
          <Button type="submit" variant="default" loading={busy}>
            {t('find')}
          </Button>
        </Group>
      </form>
    </search>
  );
}
