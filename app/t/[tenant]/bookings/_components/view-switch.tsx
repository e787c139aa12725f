'use client';

import { ActionIcon, Button, Group } from '@mantine/core';
import { IconCalendar, IconCalendarWeek, IconList, IconPlus } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { Link } from '@/app/_components/link';

type Props = {
  /** The URL of the page that makes a booking; null if the member may not make bookings. */
  newHref: string | null;
  shown: 'list' | 'day' | 'week';
  listHref: string;
  dayHref: string;
  weekHref: string;
};

/** Opens the page that makes a booking, and switches between the list, the day schedule, and the week schedule. */
export function ViewSwitch({ shown, newHref, listHref, dayHref, weekHref }: Props) {
  const t = useTranslations('bookings.views');
  const view = (name: Props['shown']) => ({
    // On a narrow screen, all buttons fit into one row.
    px: { base: 'xs', sm: 'md' },
    variant: shown === name ? 'filled' : 'default',
    'aria-current': shown === name ? ('page' as const) : undefined,
  });
  return (
    <Group gap="xs" justify="flex-end">
      {newHref !== null && (
        <>
          <ActionIcon hiddenFrom="sm" component={Link} href={newHref} variant="default" size={36} aria-label={t('new')}>
            <IconPlus size={16} aria-hidden />
          </ActionIcon>
          <Button
            visibleFrom="sm"
            component={Link}
            href={newHref}
            leftSection={<IconPlus size={16} aria-hidden />}
            variant="default"
          >
            {t('new')}
          </Button>
        </>
      )}
      <nav aria-label={t('label')}>
        <Group gap="xs">
          <Button component={Link} href={listHref} leftSection={<IconList size={16} aria-hidden />} {...view('list')}>
            {t('list')}
          </Button>
          <Button component={Link} href={dayHref} leftSection={<IconCalendar size={16} aria-hidden />} {...view('day')}>
            {t('day')}
          </Button>
          <Button
            component={Link}
            href={weekHref}
            leftSection={<IconCalendarWeek size={16} aria-hidden />}
            {...view('week')}
          >
            {t('week')}
          </Button>
        </Group>
      </nav>
    </Group>
  );
}
