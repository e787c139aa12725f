import { messagesLayout } from '@/app/_components/messages';

// The new recovery codes are shown as the applications show a new key.
export default messagesLayout('account', 'shownOnce');
