import { boundaryInstant, canonicalZone, DAY, dayOf, zoneOf } from '@/lib/platform/time-zones';
import { type Budget, type Rule, startsOf } from './recurrence';

/** Converts local minutes of a time zone to an instant, in epoch minutes. */
export type ToInstant = (local: number) => number;

/** Windows names of time zones, and the zones that Unicode CLDR maps them to (for the territory 001). */
const WINDOWS = new Map(
  `Dateline Standard Time=Etc/GMT+12|UTC-11=Etc/GMT+11|Aleutian Standard Time=America/Adak|Hawaiian Standard Time=Pacific/Honolulu
Marquesas Standard Time=Pacific/Marquesas|Alaskan Standard Time=America/Anchorage|UTC-09=Etc/GMT+9|Pacific Standard Time (Mexico)=America/Tijuana
UTC-08=Etc/GMT+8|Pacific Standard Time=America/Los_Angeles|US Mountain Standard Time=America/Phoenix|Mountain Standard Time (Mexico)=America/Mazatlan
Mountain Standard Time=America/Denver|Yukon Standard Time=America/Whitehorse|Central America Standard Time=America/Guatemala
Central Standard Time=America/Chicago|Easter Island Standard Time=Pacific/Easter|Central Standard Time (Mexico)=America/Mexico_City
Canada Central Standard Time=America/Regina|SA Pacific Standard Time=America/Bogota|Eastern Standard Time (Mexico)=America/Cancun
Eastern Standard Time=America/New_York|Haiti Standard Time=America/Port-au-Prince|Cuba Standard Time=America/Havana
US Eastern Standard Time=America/Indiana/Indianapolis|Turks And Caicos Standard Time=America/Grand_Turk|Paraguay Standard Time=America/Asuncion
Atlantic Standard Time=America/Halifax|Venezuela Standard Time=America/Caracas|Central Brazilian Standard Time=America/Cuiaba
SA Western Standard Time=America/La_Paz|Pacific SA Standard Time=America/Santiago|Newfoundland Standard Time=America/St_Johns
Tocantins Standard Time=America/Araguaina|E. South America Standard Time=America/Sao_Paulo|SA Eastern Standard Time=America/Cayenne
Argentina Standard Time=America/Argentina/Buenos_Aires|Greenland Standard Time=America/Nuuk|Montevideo Standard Time=America/Montevideo
Magallanes Standard Time=America/Punta_Arenas|Saint Pierre Standard Time=America/Miquelon|Bahia Standard Time=America/Bahia|UTC-02=Etc/GMT+2
Azores Standard Time=Atlantic/Azores|Cape Verde Standard Time=Atlantic/Cape_Verde|GMT Standard Time=Europe/London
Greenwich Standard Time=Atlantic/Reykjavik|Sao Tome Standard Time=Africa/Sao_Tome|Morocco Standard Time=Africa/Casablanca
W. Europe Standard Time=Europe/Berlin|Central Europe Standard Time=Europe/Budapest|Romance Standard Time=Europe/Paris
Central European Standard Time=Europe/Warsaw|W. Central Africa Standard Time=Africa/Lagos|Jordan Standard Time=Asia/Amman
GTB Standard Time=Europe/Bucharest|Middle East Standard Time=Asia/Beirut|Egypt Standard Time=Africa/Cairo|E. Europe Standard Time=Europe/Chisinau
Syria Standard Time=Asia/Damascus|West Bank Standard Time=Asia/Hebron|South Africa Standard Time=Africa/Johannesburg
FLE Standard Time=Europe/Kiev|Israel Standard Time=Asia/Jerusalem|South Sudan Standard Time=Africa/Juba|Kaliningrad Standard Time=Europe/Kaliningrad
Sudan Standard Time=Africa/Khartoum|Libya Standard Time=Africa/Tripoli|Namibia Standard Time=Africa/Windhoek|Arabic Standard Time=Asia/Baghdad
Turkey Standard Time=Europe/Istanbul|Arab Standard Time=Asia/Riyadh|Belarus Standard Time=Europe/Minsk|Russian Standard Time=Europe/Moscow
E. Africa Standard Time=Africa/Nairobi|Iran Standard Time=Asia/Tehran|Arabian Standard Time=Asia/Dubai|Astrakhan Standard Time=Europe/Astrakhan
Azerbaijan Standard Time=Asia/Baku|Russia Time Zone 3=Europe/Samara|Mauritius Standard Time=Indian/Mauritius|Saratov Standard Time=Europe/Saratov
Georgian Standard Time=Asia/Tbilisi|Volgograd Standard Time=Europe/Volgograd|Caucasus Standard Time=Asia/Yerevan|Afghanistan Standard Time=Asia/Kabul
West Asia Standard Time=Asia/Tashkent|Ekaterinburg Standard Time=Asia/Yekaterinburg|Pakistan Standard Time=Asia/Karachi
Qyzylorda Standard Time=Asia/Qyzylorda|India Standard Time=Asia/Kolkata|Sri Lanka Standard Time=Asia/Colombo|Nepal Standard Time=Asia/Kathmandu
Central Asia Standard Time=Asia/Bishkek|Bangladesh Standard Time=Asia/Dhaka|Omsk Standard Time=Asia/Omsk|Myanmar Standard Time=Asia/Yangon
SE Asia Standard Time=Asia/Bangkok|Altai Standard Time=Asia/Barnaul|W. Mongolia Standard Time=Asia/Hovd|North Asia Standard Time=Asia/Krasnoyarsk
N. Central Asia Standard Time=Asia/Novosibirsk|Tomsk Standard Time=Asia/Tomsk|China Standard Time=Asia/Shanghai
North Asia East Standard Time=Asia/Irkutsk|Singapore Standard Time=Asia/Singapore|W. Australia Standard Time=Australia/Perth
Taipei Standard Time=Asia/Taipei|Ulaanbaatar Standard Time=Asia/Ulaanbaatar|Aus Central W. Standard Time=Australia/Eucla
Transbaikal Standard Time=Asia/Chita|Tokyo Standard Time=Asia/Tokyo|North Korea Standard Time=Asia/Pyongyang|Korea Standard Time=Asia/Seoul
Yakutsk Standard Time=Asia/Yakutsk|Cen. Australia Standard Time=Australia/Adelaide|AUS Central Standard Time=Australia/Darwin
E. Australia Standard Time=Australia/Brisbane|AUS Eastern Standard Time=Australia/Sydney|West Pacific Standard Time=Pacific/Port_Moresby
Tasmania Standard Time=Australia/Hobart|Vladivostok Standard Time=Asia/Vladivostok|Lord Howe Standard Time=Australia/Lord_Howe
Bougainville Standard Time=Pacific/Bougainville|Russia Time Zone 10=Asia/Srednekolymsk|Magadan Standard Time=Asia/Magadan
Norfolk Standard Time=Pacific/Norfolk|Sakhalin Standard Time=Asia/Sakhalin|Central Pacific Standard Time=Pacific/Guadalcanal
Russia Time Zone 11=Asia/Kamchatka|New Zealand Standard Time=Pacific/Auckland|UTC+12=Etc/GMT-12|Fiji Standard Time=Pacific/Fiji
Chatham Islands Standard Time=Pacific/Chatham|UTC+13=Etc/GMT-13|Tonga Standard Time=Pacific/Tongatapu|Samoa Standard Time=Pacific/Apia
Line Islands Standard Time=Pacific/Kiritimati`
    .split(/[|\n]/)
    .map((entry) => {
      const [name = '', zone = ''] = entry.split('=');
      return [name.toLowerCase(), zone] as const;
    }),
);

/**
 * Returns the canonical IANA name that the name of a calendar's time zone stands for. Some programs put a path before
 * the name, such as `/freeassociation.sourceforge.net/Europe/Berlin`. Returns null for any other name.
 */
export function knownZone(tzid: string): string | null {
  const name = tzid.slice(0, 200).trim();
  const parts = name.split('/').filter((part) => part !== '');
  const endings = [3, 2, 1].filter((length) => length < parts.length).map((length) => parts.slice(-length).join('/'));
  const candidates = [name, WINDOWS.get(name.toLowerCase()) ?? '', ...(parts.length > 2 ? endings.slice(0, -1) : [])];
  for (const candidate of candidates) {
    const found = candidate === '' ? null : canonicalZone(candidate);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the conversion of a zone that IANA has. `name` must be canonical. */
export function knownInstants(name: string): ToInstant {
  const zone = zoneOf(name);
  return (local) => boundaryInstant(zone, local);
}

/** A part of an embedded VTIMEZONE. Offsets are in minutes, `start` in local minutes. */
export type Observance = { start: number; offsetFrom: number; offsetTo: number; rule: Rule | null };

/**
 * Returns the conversion of an embedded VTIMEZONE for the days `from` to `to`. A local time that the clock skips is
 * moved forward, and of one that occurs twice, the first counts.
 */
export function embeddedInstants(
  observances: readonly Observance[],
  { from, to }: { from: number; to: number },
  budget: Budget,
): ToInstant {
  const changes = observances.flatMap(({ start, offsetFrom, offsetTo, rule }) => {
    const until = (rule?.until ? dayOf(rule.until.slice(0, 10)) : null) ?? to;
    // The last change before the range may be more than a year earlier.
    const range = { from: Math.min(from, until) - 800, to: Math.min(to, until) };
    const repeated = rule ? [...startsOf(rule, start, range, budget)].filter((at) => at !== null) : [];
    return [start, ...repeated].map((at) => ({ at, offsetFrom, offsetTo }));
  });
  changes.sort((a, b) => a.at - b.at);
  const initial = changes[0]?.offsetFrom ?? 0;
  return (local) => {
    let low = 0;
    let high = changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((changes[middle]?.at ?? 0) <= local) low = middle + 1;
      else high = middle;
    }
    const last = changes[low - 1];
    if (!last) return local - initial;
    const isSkipped = local < last.at + (last.offsetTo - last.offsetFrom);
    return local - (isSkipped ? last.offsetFrom : last.offsetTo);
  };
}

/** Returns a local time of jCal (`YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SS`) in minutes, or null if it does not exist. */
export function localOf(text: string): number | null {
  const [, date = '', hour = '00', minute = '00'] =
    /^(\d{4}-\d{2}-\d{2})(?:T([01]\d|2[0-3]):([0-5]\d):(?:[0-5]\d|60)Z?)?$/.exec(text) ?? [];
  // Not `parseDay`: a hostile calendar has hundreds of thousands of invalid times, and an exception takes long.
  const day = date === '' ? null : dayOf(date);
  return day === null ? null : day * DAY + Number(hour) * 60 + Number(minute);
}
