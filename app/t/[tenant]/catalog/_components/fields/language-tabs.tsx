'use client';

import { Stack, Tabs } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { languageName } from '../format';
import { useFieldErrors } from '../records/form-context';
import { useWords } from '../words';

type Props = {
  languages: { locales: string[]; default_locale: string };
  paths: readonly string[];
  /**
   * Whether the form can be edited. A read-only form shows all languages instead of tabs, because tabs are buttons,
   * and all buttons of a read-only form are disabled.
   */
  canEdit: boolean;
  /** Returns the fields for the language `only`, or for all languages if `only` is undefined. */
  children: (only: string | undefined) => ReactNode;
};

/** Shows fields one language at a time. If the server refuses a field, its tab opens, so that it can receive the focus. */
export function LanguageTabs({ languages, paths, canEdit, children }: Props) {
  const { t, format } = useWords();
  const { locales, default_locale: first } = languages;
  const [active, setActive] = useState<string>(first);
  const { errors } = useFieldErrors();
  const ordered = [first, ...locales.filter((locale) => locale !== first)];
  const hasError = (locale: string) => paths.some((path) => errors[`${path}.${locale}`] !== undefined);
  const refused = ordered.find(hasError);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal creates a new `errors` object.
  useLayoutEffect(() => {
    if (refused !== undefined) setActive(refused);
  }, [errors]);
  if (!canEdit || ordered.length === 1) return <Stack gap="md">{children(undefined)}</Stack>;
  return (
    <Tabs value={active} onChange={(value) => value !== null && setActive(value)}>
      <Tabs.List aria-label={t('editor.languages')} mb="md">
        {ordered.map((locale) => (
          <Tabs.Tab
            key={locale}
            value={locale}
            rightSection={hasError(locale) && <IconAlertCircle size={14} aria-label={t('editor.hasErrors')} />}
          >
            {languageName(locale, format)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {ordered.map((locale) => (
        <Tabs.Panel key={locale} value={locale}>
          <Stack gap="md">{children(locale)}</Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
