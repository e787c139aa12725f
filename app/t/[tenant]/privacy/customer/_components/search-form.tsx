'use client';

import { Button, Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { readName, readSearchedPhone } from '../../../bookings/_components/phone';
import type { FoundBy, Search } from './types';

const KINDS: readonly FoundBy[] = ['phone', 'name'];

type Props = { busy: boolean; problem: string | null; onSearch: (search: Search, foundBy: FoundBy) => void };

/** The form that searches by phone number or name. What was entered stays in memory only. */
export function SearchForm({ busy, problem, onSearch }: Props) {
  const t = useTranslations('privacy.search');
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
          aria-label={t('by')}
          data={KINDS.map((value) => ({ value, label: t(`${value}.kind`) }))}
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
            label={t(`${kind}.label`)}
            description={t(`${kind}.hint`)}
            error={refused ? t(`${kind}.problem`) : problem}
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
          {t('find')}
        </Button>
      </Stack>
    </form>
  );
}
