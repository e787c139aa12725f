const PROBLEMS: Record<string, string> = {
  not_calendar: 'The address does not lead to a complete calendar (.ics).',
  too_large: 'The calendar is larger than 5 MB.',
  too_complex: 'The calendar has too many entries.',
  too_many: 'The calendar has more than 5,000 busy times.',
  unsupported_rule: 'An entry repeats in a way that is not supported.',
  timeout: 'The server did not respond in time.',
  http_status: 'The server responded with an error. The address may no longer be valid.',
  refused_address: 'The address is not on the public internet.',
  redirect: 'The address redirects too often.',
  name_not_found: 'The server’s name does not exist.',
  tls: 'The server has no valid certificate.',
  unreadable_url: 'The address cannot be decrypted. Remove the calendar and add it again.',
};

/** Returns why a calendar could not be read. */
export const problemText = (code: string): string => PROBLEMS[code] ?? 'The server could not be reached.';
