'use client';

import { ActionIcon, Group, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconInfoCircle } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';

type Props = {
  columnKind: 'specialist' | 'day';
  options: { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
  /** The ID of the legend, whether it is visible, and the function that shows or hides it. */
  legend: { id: string; opened: boolean; toggle: () => void };
};

/** Selects the column that a narrow screen shows, from a list or with buttons for the neighboring columns. */
export function NarrowPicker({ columnKind, options, value, onChange, legend }: Props) {
  const t = useTranslations('bookings.schedule.picker');
  const index = options.findIndex((option) => option.value === value);
  const button = (name: 'previous' | 'next', to: number, Icon: typeof IconChevronLeft) => {
    const target = options[to]?.value;
    return (
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t(`${name}.${columnKind}`)}
        disabled={target === undefined}
        onClick={() => target !== undefined && onChange(target)}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    );
  };
  return (
    <Group hiddenFrom="sm" gap="xs" wrap="nowrap">
      {button('previous', index - 1, IconChevronLeft)}
      <NativeSelect
        aria-label={t(columnKind)}
        flex={1}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={options}
      />
      {button('next', index + 1, IconChevronRight)}
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('legend')}
        aria-expanded={legend.opened}
        aria-controls={legend.id}
        onClick={legend.toggle}
      >
        <IconInfoCircle size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
