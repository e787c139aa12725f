import type { Language } from '@/lib/platform/text/languages';

/** What a mail says. Lines are paragraphs. */
export type MailText = { subject: string; lines: string[]; link: { text: string; url: string } | null };

/** As the queue keeps it. A mail of an earlier release has no language, and is in English. */
export type QueuedText = MailText & { language?: Language };

/** What mails are about, by kind. It contains no customer data, and no secret except a link that works once. */
export type Facts = {
  invitation: { business: string; inviter: string; url: string; endsAt: Date };
  password_link: { url: string };
  address_link: { url: string };
  new_sign_in: { network: string; browser: string | null; at: Date };
  account_changed: { change: AccountChange; at: Date };
  test: { origin: string };
  endpoint_failing: { business: string; application: string; url: string };
  endpoint_disabled: { business: string; application: string; reason: 'gone' | 'failing'; url: string };
  key_expiry: { business: string; application: string; key: string; endsAt: Date; days: number; url: string };
  application_errors: { business: string; application: string; requests: number; errors: number; url: string };
  calendar_unreadable: {
    business: string;
    calendar: string;
    whose: string;
    hours: number;
    blocks: boolean;
    url: string;
  };
  not_bookable: {
    business: string;
    kind: 'service' | 'location' | 'specialist';
    name: string;
    reason: 'no_offering' | 'no_hours';
    url: string;
  };
  moved_bookings: { business: string; count: number; rules: string; url: string };
  overlaps: { business: string; count: number; url: string };
  backup_overdue: { lastAt: Date; url: string };
  daily_summary: { business: string; day: string; created: number; requests: number; failed: number; url: string };
};

export type MailKind = keyof Facts;

/** The changes to a person's sign-in, by the action in the audit log. */
const CHANGES = [
  'user.password_changed',
  'user.email_changed',
  'user.password_issued',
  'member.second_factor_reset',
  'user.second_factor_added',
  'user.second_factor_removed',
  'user.recovery_codes_issued',
] as const;

export type AccountChange = (typeof CHANGES)[number];

/** Returns whether an action in the audit log changes how a person signs in. */
export function isAccountChange(action: string): action is AccountChange {
  return (CHANGES as readonly string[]).includes(action);
}
