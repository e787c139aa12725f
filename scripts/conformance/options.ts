import { parseArgs } from 'node:util';
import { BASE_PATH } from '@/lib/contract/operations';

export type Options = {
  /** Origin and base path, without a trailing slash. */
  api: string;
  origin: string;
  key: string;
  openapi: string;
  json: string | null;
  /** The file that gets the certificate (contract B21). */
  certificate: string | null;
  /** The port of a receiver of webhooks on loopback. */
  listen: number | null;
  hostile: boolean;
  failures: boolean;
};

/** The suite cannot run. The message contains no credential. */
export class UsageError extends Error {}

export const USAGE = `Usage: node conformance.mjs --base-url https://host --key pbk_test_… [--hostile] [--failures] [--listen PORT] [--json FILE] [--certificate FILE] [--openapi URL]
In the repository: npm run conformance -- --base-url …`;

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        'base-url': { type: 'string' },
        key: { type: 'string' },
        openapi: { type: 'string' },
        json: { type: 'string' },
        certificate: { type: 'string' },
        listen: { type: 'string' },
        hostile: { type: 'boolean', default: false },
        failures: { type: 'boolean', default: false },
      },
    }).values;
  } catch {
    // The parser's message is not used, because it repeats the arguments, which can contain a key.
    throw new UsageError(`Unknown arguments.\n${USAGE}`);
  }
}

/**
 * Parses a run's options. The key must be a TEST key, because the suite creates bookings.
 * @throws UsageError if an option is missing or unknown, or if the key is not a TEST key
 */
export function readOptions(args: string[]): Options {
  const values = parse(args);
  const { key, 'base-url': base } = values;
  if (!key || !base) throw new UsageError(`--base-url and --key are required.\n${USAGE}`);
  if (!/^https?:\/\//.test(base)) throw new UsageError(`--base-url must start with http:// or https://.\n${USAGE}`);
  if (!URL.canParse(base)) throw new UsageError(`--base-url must be a URL.\n${USAGE}`);
  if (!key.startsWith('pbk_test_')) {
    throw new UsageError(
      'Refused: this suite creates and cancels bookings, so it accepts only TEST keys (pbk_test_…).',
    );
  }
  const { origin, pathname } = new URL(base);
  const path = pathname.replace(/\/$/, '') || BASE_PATH;
  const openapi = values.openapi ?? `${origin}/docs/openapi.json`;
  const { json = null, certificate = null, hostile, failures } = values;
  const listen = values.listen === undefined ? null : Number(values.listen);
  if (listen !== null && !(Number.isInteger(listen) && listen > 0 && listen < 65_536))
    throw new UsageError(`--listen must be a port.\n${USAGE}`);
  return { api: origin + path, origin, key, openapi, json, certificate, listen, hostile, failures };
}
