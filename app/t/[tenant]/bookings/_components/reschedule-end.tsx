'use client';

import { Alert, Button, Group } from '@mantine/core';
import { problemOf, type useReschedule } from './use-reschedule';

type Props = {
  reschedule: ReturnType<typeof useReschedule>;
  /** Whether the button that reschedules is disabled. Set while no new time is selected. */
  disabled?: boolean;
  /** Whether the button that reschedules gets the focus when the dialog opens. */
  autoFocus?: boolean;
  onClose: () => void;
  onReschedule: () => void;
};

/** The end of a dialog that reschedules a booking: the error and the buttons. */
export function RescheduleEnd({ reschedule, disabled = false, autoFocus = false, onClose, onReschedule }: Props) {
  const { move, reload, reloading, isStale } = reschedule;
  return (
    <>
      {move.error && (
        <Alert color="red" role="alert">
          {problemOf(move.error)}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Keep current time
        </Button>
        {isStale ? (
          <Button loading={reloading} onClick={reload}>
            Reload
          </Button>
        ) : (
          <Button
            disabled={disabled}
            loading={move.isPending}
            onClick={onReschedule}
            data-autofocus={autoFocus || undefined}
          >
            Reschedule
          </Button>
        )}
      </Group>
    </>
  );
}
