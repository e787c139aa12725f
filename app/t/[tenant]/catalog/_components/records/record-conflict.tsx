'use client';

import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Conflict } from '../../../_components/forms/conflict';
import { formatMinutes } from '../fields/duration';
import { languageName } from '../format';
import { useWords, type Words } from '../words';
import { fieldLabel, useFieldErrors } from './form-context';
import type { Difference, RecordForm } from './use-record-form';

const MAX_SHOWN = 60;

/** Asks for a value of each field that both users changed. Then loads the newer version, with the merged values. */
export function RecordConflict<Values extends object>({ form }: { form: RecordForm<Values> }) {
  const words = useWords();
  const { t } = words;
  const [theirs, setTheirs] = useState<readonly string[]>([]);
  const differences = form.differences();
  const both = differences.filter(({ isBoth }) => isBoth);
  const { labels } = useFieldErrors();
  const others = differences.filter(({ isBoth }) => !isBoth).map(({ name }) => fieldLabel(words, labels, name));
  const choose = (name: string, choice: string) =>
    setTheirs([...theirs.filter((one) => one !== name), ...(choice === 'theirs' ? [name] : [])]);
  return (
    <Conflict action={t('conflict.load')} onAction={() => form.rebase(theirs)}>
      {others.length > 0 && <Text size="sm">{t('conflict.others', { fields: others.join(', ') })}</Text>}
      {both.length > 0 && (
        <Stack gap="xs" component="section" aria-label={t('conflict.both')}>
          {both.map((difference) => (
            <Choice
              key={difference.name}
              label={fieldLabel(words, labels, difference.name)}
              difference={difference}
              isTheirs={theirs.includes(difference.name)}
              onChoose={(choice) => choose(difference.name, choice)}
            />
          ))}
        </Stack>
      )}
      <Text size="sm">{t('conflict.explanation')}</Text>
    </Conflict>
  );
}

type ChoiceProps<Values> = {
  label: string;
  difference: Difference<Values>;
  isTheirs: boolean;
  onChoose: (choice: string) => void;
};

function Choice<Values>({ label, difference, isTheirs, onChoose }: ChoiceProps<Values>) {
  const words = useWords();
  const { t } = words;
  const { name, mine, theirs } = difference;
  const [own, saved] = [shown(words, name, mine, theirs), shown(words, name, theirs, mine)];
  return (
    <Radio.Group
      size="sm"
      label={t('conflict.bothField', { field: label })}
      value={isTheirs ? 'theirs' : 'mine'}
      onChange={onChoose}
    >
      <Stack gap={6} mt={6}>
        <Radio value="mine" label={own ? t('conflict.keepValue', { value: own }) : t('conflict.keep')} />
        <Radio value="theirs" label={saved ? t('conflict.useValue', { value: saved }) : t('conflict.use')} />
      </Stack>
    </Radio.Group>
  );
}

/** Of a text by language, returns the texts that differ from `other`. */
function shown({ t, format }: Words, name: string, value: unknown, other: unknown): string | null {
  const empty = t('conflict.empty');
  if (value === null || value === '') return empty;
  if (typeof value === 'number' && name.endsWith('_minutes')) return formatMinutes(value, format);
  if (typeof value === 'string' || typeof value === 'number') return short(String(value));
  if (typeof value !== 'object' || Array.isArray(value)) return null;
  const others = new Map(Object.entries(other ?? {}));
  const parts = Object.entries(value).filter(([language, part]) => others.get(language) !== part);
  if (parts.length === 0 || parts.some(([, part]) => typeof part !== 'string')) return null;
  const texts = parts.map(([tag, text]) =>
    t('conflict.inLanguage', { text: text || empty, language: languageName(tag, format) }),
  );
  return short(texts.join(', '));
}

const short = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text);
