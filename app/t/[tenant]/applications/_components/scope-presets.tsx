'use client';

import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import type { PartnerScope } from '@/lib/contract/common';
import { presetOf, SCOPE_PRESETS } from './scopes';

type Props = { value: readonly PartnerScope[]; onChange: (scopes: PartnerScope[]) => void };

/** Lets the user select the scopes of a preset. The user can then change the checkbox of each scope. */
export function ScopePresets({ value, onChange }: Props) {
  const t = useTranslations('applications.form');
  const id = useId();
  const preset = presetOf(value);
  return (
    <Stack gap={6} align="flex-start">
      <Text size="sm" fw={500} id={id}>
        {t('preset')}
      </Text>
      <SegmentedControl
        aria-labelledby={id}
        value={preset?.name ?? ''}
        onChange={(name) => {
          const chosen = SCOPE_PRESETS.find((one) => one.name === name);
          if (chosen) onChange([...chosen.scopes]);
        }}
        data={SCOPE_PRESETS.map(({ name }) => ({ value: name, label: t(`presets.${name}.name`) }))}
      />
      <Text size="sm" c="dimmed" role="status">
        {preset ? t(`presets.${preset.name}.description`) : t('noPreset')}
      </Text>
    </Stack>
  );
}
