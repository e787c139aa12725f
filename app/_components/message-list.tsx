'use client';

import { Notifications } from '@mantine/notifications';

/** The list of messages, below dialogs (200), so that messages never cover a button of a dialog. */
export function MessageList() {
  return <Notifications position="bottom-center" zIndex={190} />;
}
