import { invalidField } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import type { Language } from '@/lib/platform/text/languages';

const MAX_LOCATIONS = 1_000;

const DAY = 86_400_000;
/** Maximum length of a holiday in days. */
const MAX_DAYS = 14;

export type Place = { code: string; name: string };

/** `closed` contains the ids of the locations that are closed on this date, because an exception says so. */
export type Holiday = { date: string; name: string; closed: string[] };

export type Holidays = { country: string; countries: Place[]; regions: Place[]; holidays: Holiday[] };

/**
 * `country` is null for that of most locations. `region` is a state, or a state, a dot, and an area in it. `language` is
 * that of the names, as far as they are known in it.
 */
export type HolidayQuery = {
  tenantId: string;
  language: Language;
  country: string | null;
  region: string | null;
  year: number;
};

// The data of all countries is large, and few calls need it.
const load = async () => (await import('date-holidays')).default;

const COUNTRY = statement<{ country: string }>()`
  SELECT country FROM locations WHERE tenant_id = ${param.text('tenantId')}
  GROUP BY country ORDER BY count(*) DESC, country LIMIT 1`;

const CLOSED = statement<{ date: string; ids: string[] }>()`
  SELECT to_char(e.date, 'YYYY-MM-DD') AS date, array_agg(e.location_id ORDER BY e.location_id) AS ids
  FROM location_exceptions e JOIN locations l ON l.id = e.location_id
  WHERE l.tenant_id = ${param.text('tenantId')} AND e.date = ANY(${param.dates('dates')}) AND e.hours = '[]'
  GROUP BY e.date LIMIT ${MAX_LOCATIONS}`;

/**
 * Returns the public holidays of a country or region from today on, in order, with the locations that are closed on
 * them. The package date-holidays contains the rules. It downloads nothing.
 * @throws AppError invalid_request if the country or the region is unknown.
 */
export async function listHolidays(now: Date, query: HolidayQuery): Promise<Holidays> {
  const { tenantId, language, region, year } = query;
  const Calendar = await load();
  const countries = placesOf(new Calendar().getCountries('en'));
  const known = ({ code }: Place, given: string | null) => code === given;
  const { rows } = await pool().query<{ country: string }>(bind(COUNTRY, { tenantId }));
  const asked = query.country ?? rows[0]?.country ?? '';
  const fallback = query.country === null ? countries[0] : undefined;
  const country = (countries.find((place) => known(place, asked)) ?? fallback)?.code;
  if (country === undefined) throw invalidField('country', 'has no known public holidays');
  const regions = regionsOf(new Calendar(), country, language);
  if (region !== null && !regions.some((place) => known(place, region)))
    throw invalidField('region', 'must be a region of the country');
  const [state = '', area = ''] = region?.split('.') ?? [];
  const calendar = new Calendar(country, state, area, { languages: [language, 'en'], types: ['public'] });
  const names = new Map<string, string[]>();
  const today = now.toISOString().slice(0, 10);
  for (const holiday of calendar.getHolidays(year))
    for (const date of datesOf(holiday)) if (date >= today) names.set(date, [...(names.get(date) ?? []), holiday.name]);
  const dates = [...names.keys()].sort();
  const closed = await pool().query<{ date: string; ids: string[] }>(bind(CLOSED, { tenantId, dates }));
  const closedOn = new Map(closed.rows.map(({ date, ids }) => [date, ids]));
  const holidays = dates.map((date) => {
    return { date, name: [...new Set(names.get(date))].join(', '), closed: closedOn.get(date) ?? [] };
  });
  return { country, countries, regions, holidays };
}

const placesOf = (names: Record<string, string> | undefined): Place[] =>
  Object.entries(names ?? {})
    .map(([code, name]) => ({ code, name }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

type Calendar = InstanceType<Awaited<ReturnType<typeof load>>>;

function regionsOf(calendar: Calendar, country: string, language: Language): Place[] {
  return placesOf(calendar.getStates(country, language)).flatMap((state) => [
    state,
    ...placesOf(calendar.getRegions(country, state.code, language)).map(({ code, name }) => {
      return { code: `${state.code}.${code}`, name: `${state.name}, ${name}` };
    }),
  ]);
}

/** Returns the local dates of a holiday: none if it begins in the day. Its end can be at noon, which closes no further day. */
function datesOf({ date, start, end }: { date: string; start: Date; end: Date }): string[] {
  const first = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  if (date.slice(11, 16) !== '00:00') return [];
  // A day can be an hour shorter.
  const days = Math.floor((end.getTime() - start.getTime()) / DAY + 0.1);
  const count = Math.min(MAX_DAYS, Math.max(1, days));
  return Array.from({ length: count }, (_, index) => new Date(first + index * DAY).toISOString().slice(0, 10));
}
