'use client';

import { Group, Text, UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import { IconChevronDown, IconUserCircle } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';

type Props = { name: string } & UnstyledButtonProps & Omit<ComponentPropsWithRef<'button'>, 'name' | 'style'>;

/** The button that opens the signed-in user's menu. */
export function PersonButton({ name, ...props }: Props) {
  return (
    <UnstyledButton aria-label={`Signed in as ${name}`} {...props}>
      <Group gap={6} wrap="nowrap">
        <IconUserCircle size={20} stroke={1.6} aria-hidden />
        <Text size="sm" visibleFrom="xs" maw={220} truncate>
          {name}
        </Text>
        <IconChevronDown size={14} aria-hidden />
      </Group>
    </UnstyledButton>
  );
}
