'use client';

import { Radio, Stack, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';

export type Choices = { name: string; show_titles: boolean; block_when_stale: 'keep' | 'block' };

type Props<Values extends Choices> = {
  form: UseFormReturnType<Values>;
  errors: Record<string, string>;
  fetched: boolean;
};

/** The fields of what an owner chooses for a calendar. */
export function ChoiceFields<Values extends Choices>({ form, errors, fetched }: Props<Values>) {
  const t = useTranslations('common.calendars');
  return (
    <>
      <TextInput label={t('name')} required maxLength={100} {...form.getInputProps('name')} error={errors.name} />
      <Switch
        label={t('showTitles')}
        description={t('showTitlesText')}
        {...form.getInputProps('show_titles', { type: 'checkbox' })}
        error={errors.show_titles}
      />
      {fetched && (
        <Radio.Group label={t('whenStale')} {...form.getInputProps('block_when_stale')} error={errors.block_when_stale}>
          <Stack gap="xs" mt="xs">
            <Radio value="keep" label={t('keep')} />
            <Radio value="block" label={t('blockAll')} />
          </Stack>
        </Radio.Group>
      )}
    </>
  );
}
