'use client';

import { Button, Group } from '@mantine/core';
import { IconCalendar, IconList } from '@tabler/icons-react';
import Link from 'next/link';

type Props = { shown: 'list' | 'day'; listHref: string; dayHref: string };

/** Switches between the list and the day schedule. */
export function ViewSwitch({ shown, listHref, dayHref }: Props) {
  const view = (name: Props['shown']) => ({
    variant: shown === name ? 'filled' : 'default',
    'aria-current': shown === name ? ('page' as const) : undefined,
  });
  return (
    <nav aria-label="Views">
      <Group gap="xs">
        <Button component={Link} href={listHref} leftSection={<IconList size={16} aria-hidden />} {...view('list')}>
          List
        </Button>
        <Button component={Link} href={dayHref} leftSection={<IconCalendar size={16} aria-hidden />} {...view('day')}>
          Day
        </Button>
      </Group>
    </nav>
  );
}
