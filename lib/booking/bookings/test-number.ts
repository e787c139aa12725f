import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';

/**
 * Reserved for fiction and tests, after the plus sign: NANPA (555-0100 to 555-0199), Ofcom, Bundesnetzagentur, ARCEP,
 * ACMA, ComReg, and PTS.
 */
const RESERVED: readonly RegExp[] = [
  /^1\d{3}55501\d\d$/,
  /^44(?:1632960|7700900|2079460|1(?:1[3-8]|[2-6]1)4960|1914980|2896496|2920180|8081570|9098790|3069990)\d{3}$/,
  /^49(?:(?:3023125|6990009|4066969|2214710|8999998)\d{3}|(?:17139200|176040690)\d\d)$/,
  /^33(?:19900|26191|35301|46571|53649|63998)\d{4}$/,
  /^61(?:[2378](?:5550|7010)\d{4}|491570(?:006|110|15[6-9]|313|737))$/,
  /^3532091\d{5}$/,
  /^46(?:3139006|4062804|8465004|9803192|7017406)\d\d$/,
];

/** Of no country, such as those of satellite phones. */
const GLOBAL = ['800', '808', '870', '878', '881', '882', '883', '888', '979'];

/** Returns whether a normalized phone number surely belongs to no person. */
export function isTestNumber(phone: string): boolean {
  const digits = phone.slice(1);
  const codes = [...getCountries().map((country): string => getCountryCallingCode(country)), ...GLOBAL];
  const isAssigned = codes.some((code) => digits.startsWith(code));
  return !isAssigned || RESERVED.some((range) => range.test(digits));
}
