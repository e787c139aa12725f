import { calendarDate } from '@/lib/contract/common';

/** A date that PostgreSQL has too: it knows no year 0. */
export const storedDate = calendarDate.refine((date) => !date.startsWith('0000'), 'must be an existing date');
