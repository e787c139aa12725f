'use client';

import { Stack } from '@mantine/core';
import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

// At the end of the page, so they are not part of its first scripts.
const BlockSection = dynamic(
  () => import('../../../_components/blocks/block-section').then((module) => module.BlockSection),
  { ssr: false },
);
const CalendarSection = dynamic(
  () => import('../../../_components/calendars/calendar-section').then((module) => module.CalendarSection),
  { ssr: false },
);

type Props = { kind: 'location' | 'specialist'; id: string; canEdit: boolean; children: ReactNode };

/** The blocks and calendars of a record, below its form. */
export function BlockedTimes({ kind, id, canEdit, children }: Props) {
  const t = useTranslations('catalog');
  const subject = { specialist_id: null, location_id: null, [`${kind}_id`]: id };
  return (
    <Stack gap="xl">
      <div>{children}</div>
      <BlockSection subject={subject} label={t(`${kind}.blocks`)} canEdit={canEdit} />
      <CalendarSection subject={subject} canEdit={canEdit} />
    </Stack>
  );
}
