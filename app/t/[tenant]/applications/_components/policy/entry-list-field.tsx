'use client';

import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import styles from '../applications.module.css';
import { addingTo, type EntriesTranslator, type EntryRule } from './entry-rules';

type Props = {
  label: string;
  description: ReactNode;
  whenEmpty: string;
  placeholder: string;
  entries: string[];
  draft: string;
  error: ReactNode;
  rule: EntryRule;
  explain?: (text: string) => string | null;
  onEntries: (entries: string[]) => void;
  onDraft: (draft: string) => void;
};

/** Validates an entry while it is typed. Splits pasted text at spaces, commas, and semicolons. */
export function EntryListField({ entries, draft, error, rule, explain, onEntries, onDraft, ...text }: Props) {
  const t = useTranslations('applications.entries');
  const input = useRef<HTMLInputElement>(null);
  const typed = draft.trim();
  const problem = typed === '' ? null : addingTo(t, entries, rule)(typed);
  const add = (given: string) => {
    const { added, left } = takeEntries(t, given, entries, rule);
    if (added.length > 0) onEntries([...entries, ...added]);
    onDraft(left);
    input.current?.focus();
  };
  return (
    <Stack gap="xs">
      <TextInput
        ref={input}
        flex={1}
        label={text.label}
        description={text.description}
        placeholder={text.placeholder}
        autoComplete="off"
        spellCheck={false}
        // The `Group` below has the input's margins instead, so that the button lines up with the input.
        styles={{ wrapper: { margin: 0 } }}
        value={draft}
        error={problem ?? error}
        inputContainer={(children) => (
          <Group gap="xs" wrap="nowrap" my={4}>
            <div style={{ flex: 1 }}>{children}</div>
            <Button variant="default" onClick={() => add(draft)} aria-label={t('addTo', { label: text.label })}>
              {t('add')}
            </Button>
          </Group>
        )}
        onChange={(event) => onDraft(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Enter adds the text to the list instead of submitting the form.
          event.preventDefault();
          add(draft);
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text');
          if (!/[\s,;]/.test(pasted.trim())) return;
          event.preventDefault();
          add(`${draft} ${pasted}`);
        }}
      />
      <Hint size="xs" aria-live="polite">
        {typed !== '' && !problem ? t('pressEnter', { extent: explain?.(typed) ?? t('valid') }) : null}
      </Hint>
      <Entries entries={entries} label={text.label} whenEmpty={text.whenEmpty} onRemove={remove} />
    </Stack>
  );

  function remove(entry: string) {
    onEntries(entries.filter((one) => one !== entry));
    input.current?.focus();
  }
}

/** Splits text into entries: `added` are valid and not in the list yet, `left` are invalid and stay in the input. */
export function takeEntries(t: EntriesTranslator, given: string, entries: readonly string[], rule: EntryRule) {
  const added: string[] = [];
  const left: string[] = [];
  for (const text of given.split(/[\s,;]+/).filter(Boolean)) {
    if (entries.includes(text) || added.includes(text)) continue;
    (addingTo(t, [...entries, ...added], rule)(text) ? left : added).push(text);
  }
  return { added, left: left.join(' ') };
}

type EntriesProps = { entries: string[]; label: string; whenEmpty: string; onRemove: (entry: string) => void };

function Entries({ entries, label, whenEmpty, onRemove }: EntriesProps) {
  const t = useTranslations('applications.entries');
  if (entries.length === 0) {
    return <Hint>{whenEmpty}</Hint>;
  }
  return (
    <ul className={styles.entries} aria-label={label}>
      {entries.map((entry) => (
        <li key={entry} className={styles.entry}>
          {entry}
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t('remove', { entry })}
            onClick={() => onRemove(entry)}
          >
            <IconX size={13} aria-hidden />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}
