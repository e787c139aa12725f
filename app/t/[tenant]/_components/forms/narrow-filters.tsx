'use client';

import { Button } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useIsNarrow } from '../use-is-narrow';

const FilterSheet = dynamic(() => import('./filter-sheet').then((module) => module.FilterSheet), { ssr: false });

type Props = {
  count: number;
  /** Null if the sheet has nothing to clear. */
  onClear: (() => void) | null;
  children: ReactNode;
};

/** On a narrow screen, a button that opens the filters in a sheet. Nothing on a wide screen. */
export function NarrowFilters({ count, onClear, children }: Props) {
  const t = useTranslations('common.filters');
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isNarrow = useIsNarrow();
  return (
    <>
      <Button
        ref={button}
        hiddenFrom="sm"
        variant="default"
        px="xs"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {count > 0 ? t('set', { count }) : t('title')}
      </Button>
      {isNarrow && (
        <FilterSheet
          opened={opened}
          onClose={() => setOpened(false)}
          onClosed={() => button.current?.focus()}
          onClear={onClear}
        >
          {children}
        </FilterSheet>
      )}
    </>
  );
}
