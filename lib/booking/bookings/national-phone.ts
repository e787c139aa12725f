import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';

const MAX_COUNTRIES = 20;

const COUNTRIES = statement<{ country: string }>()`
  SELECT country FROM locations WHERE tenant_id = ${param.text('tenantId')}
  GROUP BY country ORDER BY count(*) DESC, country LIMIT ${MAX_COUNTRIES}`;

/**
 * Returns the international numbers that a national one can stand for, and the countries that were tried: those of the
 * tenant's locations, the most frequent first.
 */
export async function internationalNumbers(
  tenantId: string,
  national: string,
): Promise<{ numbers: string[]; countries: string[] }> {
  const { rows } = await pool().query<{ country: string }>(bind(COUNTRIES, { tenantId }));
  const countries = rows.map(({ country }) => country);
  const numbers = countries.flatMap((country) => {
    if (!isSupportedCountry(country)) return [];
    const parsed = parsePhoneNumberFromString(national, country);
    return parsed?.isPossible() ? [parsed.number as string] : [];
  });
  return { numbers: [...new Set(numbers)], countries };
}

/** Returns all stored spellings of a number, the given one first. Mexico's mobile numbers had a 1 until 2019. */
export function spellingsOf(phone: string): string[] {
  const [, withOne, without] = /^\+52(?:1(\d{10})|(\d{10}))$/.exec(phone) ?? [];
  if (withOne !== undefined) return [phone, `+52${withOne}`];
  return without === undefined ? [phone] : [phone, `+521${without}`];
}

/** Returns a number in groups, such as `+49 30 55501234`, in the spelling that is dialed today. */
export function readablePhone(phone: string): string {
  const dialed = spellingsOf(phone).reduce((a, b) => (b.length < a.length ? b : a));
  return parsePhoneNumberFromString(dialed)?.formatInternational() ?? dialed;
}
