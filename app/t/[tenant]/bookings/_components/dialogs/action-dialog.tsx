'use client';

import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { CANCEL_REASONS, type CancelReason } from '@/lib/contract/cancel-reasons';
import { Dialog } from '../../../_components/dialogs/dialog';
import { Fields } from '../../../_components/forms/form';
import { Points, Problem } from '../../../_components/forms/form-end';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import { actionName, notifiedText } from '../display/format';
import type { BookingSummary, BookingTerms, OwnerAction } from '../types';
import { BookingDialogFacts } from './dialog-facts';

type Props = {
  booking: Omit<BookingSummary, keyof BookingTerms>;
  action: OwnerAction;
  opened: boolean;
  onClose: () => void;
  onDone?: () => void;
  /**
   * Loads the booking again after a concurrent change. Set this if no query loaded the booking, because the
   * dialog itself reloads only queries.
   */
  onReload?: () => Promise<unknown>;
};

/** The dialog that states the consequences of a change to the booking and asks for confirmation. */
export function ActionDialog({ booking, opened, ...props }: Props) {
  const t = useTranslations('bookings.change');
  const words = useTranslations('words');
  const { action } = props;
  const [reason, setReason] = useState<CancelReason | null>(null);
  const { change, close, reload, reloading } = useChange(props);
  const { reference, version } = booking;
  const name = actionName(words, action, booking.status);
  const effects = [t(`effects.${action}.first`), t(`effects.${action}.second`), notifiedText(t, booking.application)];
  const failed = change.error;
  const isStale = failed?.data?.httpStatus === 409;
  const run = () =>
    change.mutate({ reference, action, expected_version: version, cancel_reason: action === 'cancel' ? reason : null });
  return (
    <Dialog opened={opened} onClose={close} title={t('question', { action: name })} size="lg">
      <Stack>
        <BookingDialogFacts booking={booking} when={t('when')} />
        <Points title={t('whatHappens')} points={effects} />
        {action === 'cancel' && (
          <Fields busy={change.isPending}>
            <NativeSelect
              label={t('reason.label')}
              description={t('reason.hint')}
              value={reason ?? ''}
              onChange={(event) => setReason((event.currentTarget.value || null) as CancelReason | null)}
              data={[
                { value: '', label: t('reason.none') },
                ...CANCEL_REASONS.map((one) => ({ value: one, label: t(`reason.${one}`) })),
              ]}
            />
          </Fields>
        )}
        <Problem error={isStale ? t('conflict', { message: failed.message }) : failed} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus>
            {t(action === 'cancel' ? 'keep' : 'close')}
          </Button>
          {isStale ? (
            <Button loading={reloading} onClick={reload}>
              {t('reload')}
            </Button>
          ) : (
            <Button color={action === 'cancel' ? 'red.9' : undefined} loading={change.isPending} onClick={run}>
              {name}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function useChange({ action, onClose, onDone, onReload }: Omit<Props, 'booking' | 'opened'>) {
  const t = useTranslations('bookings.change.done');
  const trpc = useTRPC();
  const refresh = useDone(trpc.bookings);
  const change = useMutation(
    trpc.bookings.change.mutationOptions({
      onSuccess: () => {
        onClose();
        onDone?.();
        return refresh(t(action));
      },
    }),
  );
  const close = () => {
    change.reset();
    onClose();
  };
  const [reloading, setReloading] = useState(false);
  // The dialog stays open until the booking is loaded again. Otherwise, the next action would send the old version.
  const reload = async () => {
    setReloading(true);
    await Promise.all([refresh(), onReload?.()]);
    setReloading(false);
    close();
  };
  return { change, close, reload, reloading };
}
