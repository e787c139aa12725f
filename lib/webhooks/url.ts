import { isIP } from 'node:net';
import { invalidField } from '@/lib/contract/errors/app-error';
import { allowedAddresses, RefusedAddress, type Resolve } from './addresses';

/** What an address may be; loopback and http only where a deployment of TEST says so. */
export type UrlRules = { allowLoopback: boolean; resolve: Resolve };

const MAX_LENGTH = 2_048;

/** What an address that is too long is refused with. */
export const URL_TOO_LONG = 'must have at most 2,048 characters';
const NO_ADDRESS = 'must be an address such as https://partner.example/webhooks';
/** Milliseconds that a name has to be resolved while somebody waits for the form. */
const RESOLVE_WITHIN = 2_000;

/** Ports of services that speak no HTTP, or that are for a network's inside: a request to one could be a command. */
const SERVICE_PORTS = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 88, 95], // telnet, mail, names
  ...[101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 162, 179], // RPC, NetBIOS
  ...[389, 427, 445, 464, 465, 502, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 593, 601],
  ...[623, 631, 636, 873, 989, 990, 993, 995, 1080, 1099, 1433, 1434, 1521, 1719, 1720, 1723, 1883], // LDAP, Java, MQTT
  ...[2049, 2181, 2375, 2376, 2377, 2379, 2380, 2888, 3128, 3268, 3269, 3306, 3389, 3659, 3690, 3888], // Docker, etcd
  ...[4045, 4190, 4222, 4369, 4789, 4848, 5044, 5060, 5061, 5432, 5433, 5555, 5601, 5671, 5672, 5900, 5984, 5985, 5986],
  ...[6000, 6379, 6380, 6432, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 7001, 7199, 7474, 7687],
  ...[7946, 8086, 8125, 8200, 8300, 8301, 8302, 8500, 8529, 8983, 9000, 9042, 9090, 9092, 9100, 9160],
  ...[9200, 9300, 9418, 10080, 10250, 10255, 10256, 11210, 11211, 11214, 11434, 15672, 16379, 25672, 26257, 26379],
  ...[27017, 27018, 27019, 28015, 28017, 50000, 61613, 61616], // databases and brokers
]);

/** Names that never lead to the public internet. */
const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|test|invalid|example|onion)$/;

const refuse = (message: string) => invalidField('url', message);

/**
 * Returns the address of an endpoint as it is kept, or refuses it (contract B11). What a name leads to can change:
 * that is looked at again whenever a connection is made.
 * @throws AppError invalid_request naming `url`; the value is never repeated.
 */
export async function checkUrl(text: string, rules: UrlRules): Promise<string> {
  const url = readUrl(text, rules.allowLoopback);
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  // Two dots at the end, or in the middle, are no name: what compares names would not see what it is.
  if (isIP(host) === 0 && host.split('.').includes('')) throw refuse(NO_ADDRESS);
  const local = isIP(host) === 0 && (LOCAL_NAME.test(host) || !host.includes('.'));
  if (local && !(rules.allowLoopback && /(^|\.)localhost$/.test(host))) throw refuse('must be on the public internet');
  const resolved = await withinTime(allowedAddresses(host, rules));
  if (resolved instanceof RefusedAddress) throw refuse('must be on the public internet');
  return url.href;
}

function readUrl(text: string, allowHttp: boolean): URL {
  if (text.length > MAX_LENGTH) throw refuse(URL_TOO_LONG);
  if (/[\s\p{C}\\]/u.test(text)) throw refuse('must not have spaces, control characters or backslashes');
  if (!URL.canParse(text)) throw refuse(NO_ADDRESS);
  const url = new URL(text);
  const schemes = allowHttp ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) throw refuse('must begin with https://');
  if (url.username !== '' || url.password !== '' || /^[^/]*:\/\/[^/?#]*@/.test(text))
    throw refuse('must not have a user name or password');
  if (url.hash !== '' || text.includes('#')) throw refuse('must not have a fragment');
  if (url.port !== '' && SERVICE_PORTS.has(Number(url.port)))
    throw refuse('must not have the port of another kind of service');
  if (url.href.length > MAX_LENGTH) throw refuse(URL_TOO_LONG);
  return url;
}

/** A name that cannot be resolved now may be tomorrow; only one that leads to the wrong place is refused. */
async function withinTime(job: Promise<unknown>): Promise<unknown> {
  const late = AbortSignal.timeout(RESOLVE_WITHIN);
  const given = new Promise((resolve) => late.addEventListener('abort', () => resolve(null), { once: true }));
  return Promise.race([job.catch((error: unknown) => error), given]);
}
