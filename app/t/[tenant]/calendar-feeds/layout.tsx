import { messagesLayout } from '@/app/_components/messages';

export default messagesLayout('calendarFeeds');
