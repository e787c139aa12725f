import type { Language } from '@/lib/platform/text/languages';

/** The messages of each namespace. The keys of the English files are the keys of all languages. */
export type Catalog = {
  common: typeof import('./en/common.json');
  shell: typeof import('./en/shell.json');
  words: typeof import('./en/words.json');
  signIn: typeof import('./en/signIn.json');
  account: typeof import('./en/account.json');
  applications: typeof import('./en/applications.json');
  shownOnce: typeof import('./en/shownOnce.json');
  webhooks: typeof import('./en/webhooks.json');
  bookings: typeof import('./en/bookings.json');
  calendarFeeds: typeof import('./en/calendarFeeds.json');
  catalog: typeof import('./en/catalog.json');
  affected: typeof import('./en/affected.json');
  currencies: typeof import('./en/currencies.json');
  audit: typeof import('./en/audit.json');
  requests: typeof import('./en/requests.json');
  overview: typeof import('./en/overview.json');
  environment: typeof import('./en/environment.json');
  privacy: typeof import('./en/privacy.json');
  statistics: typeof import('./en/statistics.json');
  team: typeof import('./en/team.json');
};

export type Namespace = keyof Catalog;

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: Catalog;
  }
}
