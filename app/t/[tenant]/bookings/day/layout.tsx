import { messagesLayout } from '@/app/_components/messages';

// The form of a block lists the affected bookings, as the catalog does.
export default messagesLayout('affected');
