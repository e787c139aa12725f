'use client';

import { Group, Text, UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';

type Props = { name: string } & UnstyledButtonProps & Omit<ComponentPropsWithRef<'button'>, 'name' | 'style'>;

/** The button with the name of the business. It opens the menu of the user's businesses. */
export function TenantButton({ name, ...props }: Props) {
  return (
    <UnstyledButton aria-label={`Business: ${name}`} miw={0} {...props}>
      <Group gap={4} wrap="nowrap">
        <Text fw={650} truncate>
          {name}
        </Text>
        <IconSelector size={16} stroke={1.6} aria-hidden style={{ flex: 'none' }} />
      </Group>
    </UnstyledButton>
  );
}
