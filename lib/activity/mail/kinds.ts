import type { Role } from '@/lib/platform/generated/prisma/client';

const PARTNERS: readonly Role[] = ['OWNER', 'SUPPORT'];
const OWNERS: readonly Role[] = ['OWNER'];

/**
 * The kinds of notices, which members get about a tenant: who gets them, and what the Account page says about them. A
 * person can refuse each kind.
 */
export const NOTICES = {
  endpoint_failing: {
    roles: PARTNERS,
    label: 'Webhook endpoint failing',
    text: 'The first attempts of five deliveries have failed since the last success.',
  },
  endpoint_disabled: { roles: PARTNERS, label: 'Webhook endpoint disabled', text: 'It gets no deliveries anymore.' },
  key_expiry: {
    roles: PARTNERS,
    label: 'Key expires',
    text: 'Thirty, fourteen, and three days before, and when it has expired.',
  },
  application_errors: {
    roles: PARTNERS,
    label: 'Many requests of an application fail',
    text: 'At most once a day for each application.',
  },
  not_bookable: {
    roles: OWNERS,
    label: 'Published but not bookable',
    text: 'A published specialist offers nothing or has no hours, or nobody offers a published service or location.',
  },
  moved_bookings: {
    roles: OWNERS,
    label: 'Bookings moved',
    text: 'After new time zone rules gave bookings another instant.',
  },
  calendar_unreadable: {
    roles: OWNERS,
    label: 'Calendar not readable',
    text: 'A calendar of a specialist or a location could not be read for 2 hours, and for 24 hours.',
  },
  overlaps: {
    roles: OWNERS,
    label: 'Appointments overlap',
    text: 'After new time zone rules have moved bookings.',
  },
  backup_overdue: {
    roles: OWNERS,
    label: 'Backup overdue',
    text: 'The newest recorded backup is older than 26 hours. Only if the deployment has one business.',
  },
  daily_summary: {
    roles: OWNERS,
    label: 'Daily summary',
    text: 'Yesterday’s bookings and requests, at seven o’clock.',
  },
} as const;

export type NoticeKind = keyof typeof NOTICES;

/** The names of all kinds of notices. */
export const NOTICE_KINDS = Object.keys(NOTICES) as readonly NoticeKind[];

/** Returns whether a text is the name of a kind of notices. */
export function isNoticeKind(text: string): text is NoticeKind {
  return Object.hasOwn(NOTICES, text);
}
