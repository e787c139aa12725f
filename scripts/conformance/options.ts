import { parseArgs } from 'node:util';
import { BASE_PATH } from '@/lib/contract/operations';

/** What a run was asked for. */
export type Options = {
  /** Origin and base path, without a slash at the end. */
  api: string;
  origin: string;
  key: string;
  openapi: string;
  json: string | null;
  hostile: boolean;
};

/** The run cannot be made; the message says why and holds no credential. */
export class UsageError extends Error {}

const USAGE = `npm run conformance -- --base-url https://host --key pbk_test_… [--hostile] [--json FILE] [--openapi URL]`;

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        'base-url': { type: 'string' },
        key: { type: 'string' },
        openapi: { type: 'string' },
        json: { type: 'string' },
        hostile: { type: 'boolean', default: false },
      },
    }).values;
  } catch {
    // The parser's own words repeat what was typed, and that may be a key.
    throw new UsageError(`Unknown arguments.\n${USAGE}`);
  }
}

/**
 * Returns the options of a run.
 * @throws UsageError for missing ones, and for every key that is not one of TEST: the suite makes bookings.
 */
export function readOptions(args: string[]): Options {
  const values = parse(args);
  const { key, 'base-url': base } = values;
  if (!key || !base || !URL.canParse(base)) throw new UsageError(`--base-url and --key are needed.\n${USAGE}`);
  if (!key.startsWith('pbk_test_')) {
    throw new UsageError('Refused: this suite makes and cancels bookings, so it takes keys of TEST (pbk_test_…) only.');
  }
  const { origin, pathname } = new URL(base);
  const path = pathname.replace(/\/$/, '') || BASE_PATH;
  const openapi = values.openapi ?? `${origin}/docs/openapi.json`;
  return { api: origin + path, origin, key, openapi, json: values.json ?? null, hostile: values.hostile };
}
