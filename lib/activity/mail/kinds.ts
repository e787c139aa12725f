import type { Role } from '@/lib/platform/generated/prisma/client';

const PARTNERS: readonly Role[] = ['OWNER', 'SUPPORT'];
const OWNERS: readonly Role[] = ['OWNER'];

/** The kinds of notices, which members get about a tenant, and who gets them. A person can refuse each kind. */
export const NOTICES = {
  endpoint_failing: { roles: PARTNERS },
  endpoint_disabled: { roles: PARTNERS },
  key_expiry: { roles: PARTNERS },
  application_errors: { roles: PARTNERS },
  not_bookable: { roles: OWNERS },
  moved_bookings: { roles: OWNERS },
  calendar_unreadable: { roles: OWNERS },
  overlaps: { roles: OWNERS },
  backup_overdue: { roles: OWNERS },
  daily_summary: { roles: OWNERS },
} as const;

export type NoticeKind = keyof typeof NOTICES;

/** The names of all kinds of notices. */
export const NOTICE_KINDS = Object.keys(NOTICES) as readonly NoticeKind[];

/** Returns whether a text is the name of a kind of notices. */
export function isNoticeKind(text: string): text is NoticeKind {
  return Object.hasOwn(NOTICES, text);
}
