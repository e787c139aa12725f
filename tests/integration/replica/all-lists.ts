import { dayAhead } from '@/tests/support/bookings';

/** Every procedure that reads a list, with its input. */
export const LISTS: [string, unknown?][] = [
  ['audit.list', {}],
  ['audit.sign_ins', {}],
  ['audit.refused_calls', {}],
  ['audit.choices'],
  ['requests.list', {}],
  ['requests.histogram', {}],
  ['requests.choices'],
  ['bookings.list', {}],
  ['bookings.day', { location_id: null, date: dayAhead() }],
  ['bookings.week', { location_id: null, date: dayAhead() }],
  ['bookings.choices'],
  ['overview.traffic', {}],
  ['overview.attention'],
  ['overview.outside'],
  ['overview.today'],
  ['overview.webhooks'],
  ['overview.progress'],
];

/** The routes of the exports. */
export const EXPORTS = ['requests-export', 'audit-export'];
