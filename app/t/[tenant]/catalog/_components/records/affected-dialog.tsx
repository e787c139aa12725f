'use client';

import { Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import { Incomplete, OutsideList } from '../offers/outside-notice';
import type { Affected } from '../types';

// Only an answer or a click opens it, so it is not part of the first scripts.
const ConfirmDialog = dynamic(
  () => import('../../../_components/dialogs/confirm-dialog').then((module) => module.ConfirmDialog),
  { ssr: false },
);

/** The value of `confirmed` in the first request for a change, before the user has seen any affected bookings. */
export const NOTHING_SEEN = 'none';

/** Returns the dialog's title, which states how a change affects bookings. */
export function affectedTitle(t: Translator<'affected'>, { count, first }: Pick<Affected, 'count' | 'first'>): string {
  if (first.every(({ reason }) => reason === 'outside_hours')) return t('title.hours', { count });
  if (first.every(({ reason }) => reason === 'blocked')) return t('title.blocked', { count });
  return t('title.other', { count });
}

/**
 * Returns the dialog's state: the affected bookings, and whether the dialog is open. If a change affects bookings that
 * the user has not confirmed, the server returns these bookings and does not make the change.
 */
export function useAffected() {
  const [affected, setAffected] = useState<Affected | null>(null);
  const [opened, { open, close }] = useDisclosure();
  const show = (next: Affected) => {
    setAffected(next);
    open();
  };
  return { affected, opened, show, close };
}

type Props = {
  state: ReturnType<typeof useAffected>;
  busy: boolean;
  problem?: string | undefined;
  /** Makes the change. `confirmed` is the digest of the affected bookings that the dialog showed. */
  onConfirm: (confirmed: string) => void;
};

/**
 * Asks for confirmation of a change that affects bookings. After the change, these bookings would no longer match the
 * catalog. The default button cancels the change.
 */
export function AffectedDialog({ state: { affected, opened, close }, busy, problem, onConfirm }: Props) {
  const t = useTranslations('affected');
  if (!affected) return null;
  return (
    <ConfirmDialog
      title={affectedTitle(t, affected)}
      opened={opened}
      onClose={close}
      cancel={t('dialog.back')}
      action={t('dialog.saveAnyway')}
      busy={busy}
      problem={problem}
      onConfirm={() => onConfirm(affected.digest)}
    >
      <Text size="sm">{t('dialog.nothingSaved')}</Text>
      <AffectedList affected={affected} />
    </ConfirmDialog>
  );
}

/** The affected bookings. Links open a new tab, because the form in this tab may have unsaved changes. */
export function AffectedList({ affected: { count, first, complete } }: { affected: Affected }) {
  return (
    <>
      <OutsideList count={count} bookings={first} newTab />
      {!complete && <Incomplete />}
    </>
  );
}
