/*
 * The currencies of ISO 4217. Node, PostgreSQL, and browsers never decide how many decimals an amount has: their data
 * (CLDR) states how cash is used, differs from ISO 4217 for 17 currencies, and changes with their versions.
 *
 * The source of the codes and minor units is List One of the maintenance agency (SIX), as of Amendment 180. The names are
 * the agency's. `tests/unit/currencies/table.test.ts` compares this table with `dinero.js`, the npm package that follows
 * the list, and states each difference with its reason. After an amendment, change this file and run
 * `npx tsx tests/contract/generate-types.ts`.
 */

// cspell:disable
/** The currencies in which a price can be set: code, minor unit, and name. */
const ACTIVE = `
AED 2 UAE Dirham
AFN 2 Afghani
ALL 2 Lek
AMD 2 Armenian Dram
AOA 2 Kwanza
ARS 2 Argentine Peso
AUD 2 Australian Dollar
AWG 2 Aruban Florin
AZN 2 Azerbaijan Manat
BAM 2 Convertible Mark
BBD 2 Barbados Dollar
BDT 2 Taka
BHD 3 Bahraini Dinar
BIF 0 Burundi Franc
BMD 2 Bermudian Dollar
BND 2 Brunei Dollar
BOB 2 Boliviano
BRL 2 Brazilian Real
BSD 2 Bahamian Dollar
BTN 2 Ngultrum
BWP 2 Pula
BYN 2 Belarusian Ruble
BZD 2 Belize Dollar
CAD 2 Canadian Dollar
CDF 2 Congolese Franc
CHF 2 Swiss Franc
CLP 0 Chilean Peso
CNY 2 Yuan Renminbi
COP 2 Colombian Peso
CRC 2 Costa Rican Colon
CUP 2 Cuban Peso
CVE 2 Cabo Verde Escudo
CZK 2 Czech Koruna
DJF 0 Djibouti Franc
DKK 2 Danish Krone
DOP 2 Dominican Peso
DZD 2 Algerian Dinar
EGP 2 Egyptian Pound
ERN 2 Nakfa
ETB 2 Ethiopian Birr
EUR 2 Euro
FJD 2 Fiji Dollar
FKP 2 Falkland Islands Pound
GBP 2 Pound Sterling
GEL 2 Lari
GHS 2 Ghana Cedi
GIP 2 Gibraltar Pound
GMD 2 Dalasi
GNF 0 Guinean Franc
GTQ 2 Quetzal
GYD 2 Guyana Dollar
HKD 2 Hong Kong Dollar
HNL 2 Lempira
HTG 2 Gourde
HUF 2 Forint
IDR 2 Rupiah
ILS 2 New Israeli Sheqel
INR 2 Indian Rupee
IQD 3 Iraqi Dinar
IRR 2 Iranian Rial
ISK 0 Iceland Krona
JMD 2 Jamaican Dollar
JOD 3 Jordanian Dinar
JPY 0 Yen
KES 2 Kenyan Shilling
KGS 2 Som
KHR 2 Riel
KMF 0 Comorian Franc
KPW 2 North Korean Won
KRW 0 Won
KWD 3 Kuwaiti Dinar
KYD 2 Cayman Islands Dollar
KZT 2 Tenge
LAK 2 Lao Kip
LBP 2 Lebanese Pound
LKR 2 Sri Lanka Rupee
LRD 2 Liberian Dollar
LSL 2 Loti
LYD 3 Libyan Dinar
MAD 2 Moroccan Dirham
MDL 2 Moldovan Leu
MGA 2 Malagasy Ariary
MKD 2 Denar
MMK 2 Kyat
MNT 2 Tugrik
MOP 2 Pataca
MRU 2 Ouguiya
MUR 2 Mauritius Rupee
MVR 2 Rufiyaa
MWK 2 Malawi Kwacha
MXN 2 Mexican Peso
MYR 2 Malaysian Ringgit
MZN 2 Mozambique Metical
NAD 2 Namibia Dollar
NGN 2 Naira
NIO 2 Cordoba Oro
NOK 2 Norwegian Krone
NPR 2 Nepalese Rupee
NZD 2 New Zealand Dollar
OMR 3 Rial Omani
PAB 2 Balboa
PEN 2 Sol
PGK 2 Kina
PHP 2 Philippine Peso
PKR 2 Pakistan Rupee
PLN 2 Zloty
PYG 0 Guarani
QAR 2 Qatari Rial
RON 2 Romanian Leu
RSD 2 Serbian Dinar
RUB 2 Russian Ruble
RWF 0 Rwanda Franc
SAR 2 Saudi Riyal
SBD 2 Solomon Islands Dollar
SCR 2 Seychelles Rupee
SDG 2 Sudanese Pound
SEK 2 Swedish Krona
SGD 2 Singapore Dollar
SHP 2 Saint Helena Pound
SLE 2 Leone
SOS 2 Somali Shilling
SRD 2 Surinam Dollar
SSP 2 South Sudanese Pound
STN 2 Dobra
SVC 2 El Salvador Colon
SYP 2 Syrian Pound
SZL 2 Lilangeni
THB 2 Baht
TJS 2 Somoni
TMT 2 Turkmenistan New Manat
TND 3 Tunisian Dinar
TOP 2 Pa’anga
TRY 2 Turkish Lira
TTD 2 Trinidad and Tobago Dollar
TWD 2 New Taiwan Dollar
TZS 2 Tanzanian Shilling
UAH 2 Hryvnia
UGX 0 Uganda Shilling
USD 2 US Dollar
UYU 2 Peso Uruguayo
UZS 2 Uzbekistan Sum
VED 2 Bolívar Soberano
VES 2 Bolívar Soberano
VND 0 Dong
VUV 0 Vatu
WST 2 Tala
XAF 0 CFA Franc BEAC
XCD 2 East Caribbean Dollar
XCG 2 Caribbean Guilder
XOF 0 CFA Franc BCEAO
XPF 0 CFP Franc
YER 2 Yemeni Rial
ZAR 2 Rand
ZMW 2 Zambian Kwacha
ZWG 2 Zimbabwe Gold
`;

/**
 * Codes of ISO 4217 in which no price can be set: code and minor unit. A database may contain them, because earlier
 * versions accepted every code of three letters. Their prices are still shown correctly.
 *
 * The first line contains the funds codes and units of account, in which nothing is paid. XAD is from Amendment 179. The
 * second line contains codes that moved to List Three since 2023: ANG became XCG (Amendment 176), BGN became EUR (180), CUC
 * became CUP (178), HRK became EUR (174), SLL became SLE (175), and ZWL became ZWG (177).
 */
const OTHER = `
BOV 2 CHE 2 CHW 2 CLF 4 COU 2 MXV 2 USN 2 UYI 0 UYW 4 XAD 2
ANG 2 BGN 2 CUC 2 HRK 2 SLL 2 ZWL 2
`;
// cspell:enable

type Currency = { code: string; digits: number; name: string };

/** The currencies in which a price can be set, ordered by code. */
export const CURRENCIES: readonly Currency[] = [...ACTIVE.matchAll(/^([A-Z]{3}) (\d) (.+)$/gm)].map(
  ([, code = '', digits = '', name = '']) => ({ code, digits: Number(digits), name }),
);

const ACTIVE_CODES: ReadonlySet<string> = new Set(CURRENCIES.map(({ code }) => code));

const DIGITS: ReadonlyMap<string, number> = new Map([
  ...CURRENCIES.map(({ code, digits }) => [code, digits] as const),
  ...[...OTHER.matchAll(/([A-Z]{3}) (\d)/g)].map(([, code = '', digits = '']) => [code, Number(digits)] as const),
]);

/** Returns whether a price can be set in a currency. */
export function isCurrency(code: string): boolean {
  return ACTIVE_CODES.has(code);
}

/** Returns the number of decimals of a currency (its minor unit in ISO 4217); null if the code has none. */
export function minorUnit(code: string): number | null {
  return DIGITS.get(code) ?? null;
}

/** Returns an amount in minor units as a decimal number in major units, such as `175.00`. */
export function decimalText(amount: number, currency: string): string {
  const digits = minorUnit(currency) ?? 0;
  const text = String(amount).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
