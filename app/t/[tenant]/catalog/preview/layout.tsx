import { messagesLayout } from '@/app/_components/messages';

// The preview selects its day as the schedules of bookings do.
export default messagesLayout('bookings');
