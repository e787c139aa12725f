'use client';

import { useTranslations } from 'use-intl';
import { type Column, countBookings } from './columns';

/** Returns the function that names a column in the list from which the user selects one on a narrow screen. */
export function useOptions(): (column: Column) => string {
  const t = useTranslations('bookings.schedule');
  return (column) =>
    t('option', {
      title: column.title,
      off: column.working.length > 0 ? 'no' : 'yes',
      count: countBookings(column),
    });
}
