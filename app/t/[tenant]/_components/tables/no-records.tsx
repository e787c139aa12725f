'use client';

import { Button, Group } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { EmptyState } from '../states';

type Props = {
  noun: 'booking' | 'request';
  hasReference: boolean;
  hasFilters: boolean;
  onClear: () => void;
  /** The button that switches to the longest period; null if the list already shows that period. */
  widen: { label: string; onClick: () => void } | null;
  referenceHint: string;
  emptyHint: string;
};

/** Explains why a list is empty: no record matches the filters, the period has no records, or there are no records at all. */
export function NoRecords({ noun, hasReference, hasFilters, onClear, widen, referenceHint, emptyHint }: Props) {
  const t = useTranslations('common.noRecords');
  const action = (
    <Group justify="center" mt="xs">
      {hasFilters && (
        <Button variant="default" onClick={onClear}>
          {t('clear')}
        </Button>
      )}
      {widen && (
        <Button variant="default" onClick={widen.onClick}>
          {widen.label}
        </Button>
      )}
    </Group>
  );
  if (hasReference) {
    return (
      <EmptyState title={t('noReference', { noun })} action={action}>
        {referenceHint}
      </EmptyState>
    );
  }
  if (hasFilters) {
    return (
      <EmptyState title={t('noMatch')} action={action}>
        {t('noMatchText', { noun })}
      </EmptyState>
    );
  }
  return (
    <EmptyState title={widen ? t('noneInPeriod', { noun }) : t('noneYet', { noun })} action={action}>
      {emptyHint}
    </EmptyState>
  );
}
