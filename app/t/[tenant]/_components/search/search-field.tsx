'use client';

import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { hasSecret } from './pasted';

const DEBOUNCE_MS = 250;

type Props = { label: string; value: string; onSearch: (text: string) => void };

/** A search field for a list. API keys and webhook secrets are rejected before they reach the URL. */
export function SearchField({ label, value, onSearch }: Props) {
  const t = useTranslations('common.search');
  const [text, setText] = useState(value);
  const typed = useRef(text);
  typed.current = text;
  const search = useDebouncedCallback((given: string) => {
    if (!hasSecret(given)) onSearch(given.trim());
  }, DEBOUNCE_MS);
  // Updates the field when something else changes the URL, such as the Back button. The comparison ignores leading and
  // trailing spaces so that a trailing space does not disappear while the user types.
  useEffect(() => {
    if (typed.current.trim() !== value) setText(value);
  }, [value]);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      w={{ base: '100%', xs: 300 }}
      maxLength={200}
      value={text}
      error={hasSecret(text) && t('secret')}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
