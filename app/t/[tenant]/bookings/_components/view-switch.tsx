'use client';

import { Button, Group } from '@mantine/core';
import { IconCalendar, IconCalendarWeek, IconList } from '@tabler/icons-react';
import { Link } from '@/app/_components/link';

type Props = { shown: 'list' | 'day' | 'week'; listHref: string; dayHref: string; weekHref: string };

/** Switches between the list, the day schedule, and the week schedule. */
export function ViewSwitch({ shown, listHref, dayHref, weekHref }: Props) {
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
        <Button
          component={Link}
          href={weekHref}
          leftSection={<IconCalendarWeek size={16} aria-hidden />}
          {...view('week')}
        >
          Week
        </Button>
      </Group>
    </nav>
  );
}
