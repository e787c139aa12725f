'use client';

import { useNotifications } from '@mantine/notifications';
import dynamic from 'next/dynamic';
import { useState } from 'react';

const MessageList = dynamic(() => import('./message-list').then((module) => module.MessageList), { ssr: false });

/** Shows messages about the user's actions. Loads `MessageList` when there is a first message. */
export function Messages() {
  const { notifications } = useNotifications();
  const [isWanted, setWanted] = useState(false);
  if (notifications.length > 0 && !isWanted) setWanted(true);
  return isWanted ? <MessageList /> : null;
}
