/*
 * The canonical names follow the rules of ECMA-402 for primary time zone identifiers: a name that `zone.tab` of IANA
 * lists is canonical, any other name is an alias. An alias of IANA's file `backward` whose zone shares its rules with
 * other canonical names is listed here, with the canonical name of the same country.
 */

/** Aliases that the data does not determine. */
export const ALIASES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'Africa/Timbuktu': 'Africa/Bamako',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Montreal': 'America/Toronto',
  'America/Nipigon': 'America/Toronto',
  'America/Thunder_Bay': 'America/Toronto',
  'America/Virgin': 'America/St_Thomas',
  'Antarctica/South_Pole': 'Antarctica/McMurdo',
  'Asia/Rangoon': 'Asia/Yangon',
  'Atlantic/Jan_Mayen': 'Arctic/Longyearbyen',
  'Canada/Eastern': 'America/Toronto',
  CET: 'Europe/Brussels',
  CST6CDT: 'America/Chicago',
  EET: 'Europe/Athens',
  EST: 'America/Panama',
  EST5EDT: 'America/New_York',
  'Europe/Belfast': 'Europe/London',
  GB: 'Europe/London',
  'GB-Eire': 'Europe/London',
  HST: 'Pacific/Honolulu',
  Iceland: 'Atlantic/Reykjavik',
  MET: 'Europe/Brussels',
  MST: 'America/Phoenix',
  MST7MDT: 'America/Denver',
  NZ: 'Pacific/Auckland',
  PST8PDT: 'America/Los_Angeles',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Samoa': 'Pacific/Pago_Pago',
  'Pacific/Truk': 'Pacific/Chuuk',
  'Pacific/Yap': 'Pacific/Chuuk',
  Singapore: 'Asia/Singapore',
  'US/Arizona': 'America/Phoenix',
  'US/Samoa': 'Pacific/Pago_Pago',
  WET: 'Europe/Lisbon',
};

/** As in ECMA-402, their canonical name is `UTC`. */
export const UTC_NAMES: ReadonlySet<string> = new Set([
  ...['Etc/GMT', 'Etc/GMT+0', 'Etc/GMT-0', 'Etc/GMT0', 'Etc/Greenwich', 'GMT', 'GMT+0', 'GMT-0', 'GMT0', 'Greenwich'],
  ...['Etc/UCT', 'Etc/UTC', 'Etc/Universal', 'Etc/Zulu', 'UCT', 'UTC', 'Universal', 'Zulu'],
]);

/** `zone.tab` states these countries differently. */
export const FIXED_COUNTRIES: Readonly<Record<string, string>> = { 'Europe/Simferopol': 'UA' };
