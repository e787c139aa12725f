'use client';

import { Radio, Stack, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

export type Choices = { name: string; show_titles: boolean; block_when_stale: 'keep' | 'block' };

type Props<Values extends Choices> = {
  form: UseFormReturnType<Values>;
  errors: Record<string, string>;
  /** Whether the calendar is fetched again and again. An uploaded file is not. */
  fetched: boolean;
};

/** The fields of what an owner chooses for a calendar. */
export function ChoiceFields<Values extends Choices>({ form, errors, fetched }: Props<Values>) {
  return (
    <>
      <TextInput label="Name" required maxLength={100} {...form.getInputProps('name')} error={errors.name} />
      <Switch
        label="Show titles"
        description="Owners and the front desk then see the titles in Day and Week. Partners never do."
        {...form.getInputProps('show_titles', { type: 'checkbox' })}
        error={errors.show_titles}
      />
      {fetched && (
        <Radio.Group
          label="If the calendar cannot be read for 24 hours"
          {...form.getInputProps('block_when_stale')}
          error={errors.block_when_stale}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="keep" label="The known times keep counting" />
            <Radio value="block" label="All time counts as busy until it can be read again" />
          </Stack>
        </Radio.Group>
      )}
    </>
  );
}
