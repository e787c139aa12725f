'use client';

import { Notifications } from '@mantine/notifications';

/**
 * The list of messages. Its z-index is below the z-index of dialogs (200), so that messages never cover a dialog's
 * buttons.
 */
export function MessageList() {
  return <Notifications position="bottom-center" zIndex={190} />;
}
