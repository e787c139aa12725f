import type { AccountChange, MailTexts } from '../facts';

const NOT_YOU =
  'If this was not you, sign in, change your password, and end your other sessions under Your account. If you cannot sign in, tell an owner of the business.';

const NOT_YOUR_CHANGE =
  'This address no longer opens the account. If this was not you, tell an owner of the business at once, who can sign the account out and remove it, or the operator.';

const WITHOUT_OFFERING = {
  specialist: 'offers no published service at a published location',
  service: 'no published specialist offers it at a published location',
  location: 'no published specialist offers a published service there',
} as const;

const CHANGES: Record<AccountChange, string> = {
  'user.password_changed': 'Your password was changed.',
  'user.email_changed': 'The email address of your account was changed.',
  'user.password_issued': 'The operator issued a new password for you.',
  'member.second_factor_reset': 'Your second factor was removed by somebody else.',
  'user.second_factor_added': 'A second factor was added.',
  'user.second_factor_removed': 'A second factor was removed.',
  'user.recovery_codes_issued': 'New recovery codes were created. The old ones no longer work.',
};

export const EN: MailTexts = {
  invitation: ({ business, inviter, url, endsAt }) => ({
    subject: `Invitation to ${business}`,
    lines: [
      `${inviter} invited you to the Control Center of ${business}.`,
      `The link works once, until ${utc(endsAt)}. It proves that this address is yours, so do not pass it on. If you do not know the business, ignore this mail.`,
    ],
    link: { text: 'Open the invitation', url },
  }),
  password_link: ({ url }) => ({
    subject: 'Set a new password',
    lines: [
      'Somebody, probably you, asked for a new password of the account with this address.',
      'The link works once, for 30 minutes. Your password stays as it is until you set a new one. If you did not ask for it, ignore this mail.',
    ],
    link: { text: 'Set a new password', url },
  }),
  address_link: ({ url }) => ({
    subject: 'Confirm your new email address',
    lines: [
      'Somebody, probably you, wants to use this address for an account of the Control Center.',
      'The link works once, for 30 minutes, with the password of the account. Until then, nothing changes. If you did not ask for it, ignore this mail.',
    ],
    link: { text: 'Confirm the address', url },
  }),
  new_sign_in: ({ network, browser, at }) => ({
    subject: 'Sign-in from a new network',
    lines: [
      `Your account was used to sign in from a network that you had not used before: ${network}, ${browser ?? 'unknown browser'}, ${utc(at)}.`,
      NOT_YOU,
    ],
    link: null,
  }),
  account_changed: ({ change, at }) => ({
    subject: 'Your account was changed',
    lines: [`${CHANGES[change]} (${utc(at)})`, change === 'user.email_changed' ? NOT_YOUR_CHANGE : NOT_YOU],
    link: null,
  }),
  test: ({ origin }) => ({
    subject: 'Test of the mail server',
    lines: [`You asked ${origin} for this mail. Mails to the members of your business arrive.`],
    link: null,
  }),
  endpoint_failing: ({ business, application, url }) => ({
    subject: `Webhook endpoint of ${application} is failing`,
    lines: [
      `The first attempts of five deliveries to the webhook endpoint of ${application} have failed since its last success. Each delivery is attempted again for about three days.`,
      `Tell the partner. You get no further mail about this until an attempt has succeeded. Business: ${business}.`,
    ],
    link: { text: 'Open the deliveries', url },
  }),
  endpoint_disabled: ({ business, application, reason, url }) => ({
    subject: `Webhook endpoint of ${application} is disabled`,
    lines: [
      reason === 'gone'
        ? `The webhook endpoint of ${application} was disabled, because it responded that it is gone (410).`
        : `The webhook endpoint of ${application} was disabled, because it had no success for five days.`,
      `Its deliveries are held for 30 days. Enable the endpoint when the partner has repaired it. Business: ${business}.`,
    ],
    link: { text: 'Open the endpoint', url },
  }),
  key_expiry: ({ business, application, key, endsAt, days, url }) => ({
    subject:
      days > 0
        ? `A key of ${application} expires in ${days} ${days === 1 ? 'day' : 'days'}`
        : `A key of ${application} has expired`,
    lines: [
      days > 0
        ? `The key ${key} of ${application} expires on ${utc(endsAt)}. Requests with it then get a 401.`
        : `The key ${key} of ${application} expired on ${utc(endsAt)}. Requests with it get a 401.`,
      `Rotate the key, and send the new one to the partner. Business: ${business}.`,
    ],
    link: { text: 'Open the keys', url },
  }),
  application_errors: ({ business, application, requests, errors, url }) => ({
    subject: `Many requests of ${application} fail`,
    lines: [`${errors} of the last ${requests} requests of ${application} in 24 hours failed. Business: ${business}.`],
    link: { text: 'Open the requests', url },
  }),
  not_bookable: ({ business, kind, name, reason, url }) => ({
    subject: `${name} cannot be booked`,
    lines: [
      reason === 'no_hours'
        ? `${name} is published, but has no working hours.`
        : `${name} is published, but ${WITHOUT_OFFERING[kind]}.`,
      `Partners see no free slots. Business: ${business}.`,
    ],
    link: { text: `Open the ${kind}`, url },
  }),
  moved_bookings: ({ business, count, rules, url }) => ({
    subject: `${count} ${count === 1 ? 'booking was' : 'bookings were'} moved by new time zone rules`,
    lines: [
      `The time zone rules ${rules} moved ${count} ${count === 1 ? 'booking' : 'bookings'} of ${business}. Each keeps the local date and time that the customer was told. Partners get an event for each.`,
    ],
    link: { text: 'Open the changes', url },
  }),
  calendar_unreadable: ({ business, calendar, whose, hours, blocks, url }) => ({
    subject: `Calendar ${calendar} of ${whose} cannot be read`,
    lines: [
      `The calendar ${calendar} of ${whose} could not be read for ${hours} hours. New appointments in it are not known, and partners may book their time.`,
      blocks
        ? `You chose that all time counts as busy while a calendar cannot be read for 24 hours. Business: ${business}.`
        : `The times that were read last keep counting. Business: ${business}.`,
    ],
    link: { text: `Open ${whose}`, url },
  }),
  overlaps: ({ business, count, url }) => ({
    subject: `${count} ${count === 1 ? 'appointment overlaps' : 'appointments overlap'} another`,
    lines: [
      `New time zone rules moved bookings of ${business}. ${count} ${count === 1 ? 'appointment overlaps' : 'appointments overlap'} another one of the same specialist. Nothing was cancelled: reschedule one of each pair.`,
    ],
    link: { text: 'Open what needs attention', url },
  }),
  backup_overdue: ({ lastAt, url }) => ({
    subject: 'The backup is overdue',
    lines: [
      `The newest backup that is recorded began on ${utc(lastAt)}, more than 26 hours ago.`,
      'Check the job that runs npm run backup, or ask the operator. You get no further mail about this until a newer backup is overdue.',
    ],
    link: { text: 'Open Environment', url },
  }),
  daily_summary: ({ business, day, created, requests, failed, url }) => ({
    subject: `${business}: ${day}`,
    lines: [`New bookings: ${created}.`, `Requests of partners: ${requests}, of which ${failed} failed.`],
    link: { text: 'Open the Control Center', url },
  }),
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns a time such as `Nov 22, 2026, 14:30 UTC`. */
function utc(at: Date): string {
  return `${MONTHS[at.getUTCMonth()]} ${at.getUTCDate()}, ${at.getUTCFullYear()}, ${at.toISOString().slice(11, 16)} UTC`;
}
