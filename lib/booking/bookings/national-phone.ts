import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';

/** Maximum number of countries to try for one number. */
const MAX_COUNTRIES = 20;

const COUNTRIES = statement<{ country: string }>()`
  SELECT country FROM locations WHERE tenant_id = ${param.text('tenantId')}
  GROUP BY country ORDER BY count(*) DESC, country LIMIT ${MAX_COUNTRIES}`;

/**
 * Returns the international numbers that a phone number without a country code can stand for. There is one for each
 * country in which the tenant has a location and the number has a valid length. At most `MAX_COUNTRIES` countries are
 * tried. The countries with the most locations come first.
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
