'use client';

import { useNotifications } from '@mantine/notifications';
import dynamic from 'next/dynamic';
import { useState } from 'react';

const MessageList = dynamic(() => import('./message-list').then((module) => module.MessageList), { ssr: false });

/** Shows messages about the user's actions. Loads `MessageList` when the first message appears. */
export function Messages() {
  const { notifications } = useNotifications();
  const [isWanted, setWanted] = useState(false);
  if (notifications.length > 0 && !isWanted) setWanted(true);
  return isWanted ? <MessageList /> : null;
}
