import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';

/** Maximum number of countries to try for a phone number without a country code. */
const MAX_COUNTRIES = 20;

const COUNTRIES = statement<{ country: string }>()`
  SELECT country FROM locations WHERE tenant_id = ${param.text('tenantId')}
  GROUP BY country ORDER BY count(*) DESC, country LIMIT ${MAX_COUNTRIES}`;

/**
 * Returns the international numbers that a phone number without a country code can stand for. Tries the countries of
 * the tenant's locations, at most `MAX_COUNTRIES`. Countries with more locations come first. Omits a number if its
 * length is not valid in the country.
 */
export async function internationalNumbers(tenantId: string, national: string): Promise<string[]> {
  const { rows } = await pool().query<{ country: string }>(bind(COUNTRIES, { tenantId }));
  const numbers = rows.flatMap(({ country }) => {
    if (!isSupportedCountry(country)) return [];
    const parsed = parsePhoneNumberFromString(national, country);
    return parsed?.isPossible() ? [parsed.number as string] : [];
  });
  return [...new Set(numbers)];
}
