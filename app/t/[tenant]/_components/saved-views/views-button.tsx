'use client';

import { Button, type ButtonProps, Text } from '@mantine/core';
import { IconBookmark, IconChevronDown } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';

type Props = { name: string | undefined } & ButtonProps &
  Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps | 'name'>;

/** The button that opens the saved views menu. `name` is the name of the current view. */
export function ViewsButton({ name, ...props }: Props) {
  return (
    <Button
      variant="default"
      leftSection={<IconBookmark size={16} aria-hidden />}
      rightSection={<IconChevronDown size={14} aria-hidden />}
      {...props}
    >
      <Text span inherit maw={180} truncate>
        {name === undefined ? 'Views' : `View: ${name}`}
      </Text>
    </Button>
  );
}
