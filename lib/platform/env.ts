import { hkdfSync } from 'node:crypto';
import { z } from 'zod';
import { singleton } from './singleton';

const integer = (fallback: number, min: number, max: number) =>
  z.coerce
    .number({ message: 'must be a number' })
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(fallback);

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, message: 'must be a postgresql:// address' });

const httpAddress = z.url({ protocol: /^https?$/, message: 'must be an http or https address' });

const httpOrigin = z
  .url({ protocol: /^https?$/, message: 'must be an http or https origin', abort: true })
  .refine((value) => new URL(value).origin === value.replace(/\/$/, ''), 'must be an origin without a path')
  .transform((value) => new URL(value).origin);

// Anything else would be hashed as if it were empty: every request would seem to be signed with the same key.
const signingKey = z.string().regex(/^(signkey-\w+-)?([0-9a-f]{2})+$/i, 'must be hexadecimal');

const settings = z.object({
  ENVIRONMENT: z.enum(['TEST', 'LIVE'], { message: 'must be TEST or LIVE' }).default('TEST'),
  /** PostgreSQL 15 or newer; unset, the launcher runs the embedded server under DATA_DIR and fills this in. */
  DATABASE_URL: postgresUrl.optional(),
  /** Where LISTEN connects when DATABASE_URL goes through a pooler. */
  DIRECT_DATABASE_URL: postgresUrl.optional(),
  DATA_DIR: z.string().min(1).optional(),
  /** The deployment's one secret; keys are derived from it by purpose. */
  SECRET_KEY: z.string().min(32, 'must be at least 32 characters').optional(),
  HOST: z.string().min(1).optional(),
  PORT: integer(3000, 0, 65535),
  /** The origin that people and partners use; unset, http://localhost:PORT. */
  PUBLIC_ORIGIN: httpOrigin.optional(),
  /** Where the other environment's Control Center is, for a link to it. */
  OTHER_ENVIRONMENT_URL: httpAddress.optional(),
  /** How many proxies in front of us set X-Forwarded-For (contract B2). */
  TRUSTED_PROXIES: integer(0, 0, 16),
  /** Server processes that share the database; above 1 the rate limit lives in PostgreSQL. */
  INSTANCES: integer(1, 1, 1000),
  DATABASE_POOL: integer(16, 2, 200),
  /** Lets webhooks of TEST go to http and to this machine, for trying things out; LIVE does not start with it. */
  WEBHOOKS_ALLOW_LOOPBACK: z.enum(['0', '1'], { message: 'must be 0 or 1' }).default('0'),
  /** Any of these four makes Inngest deliver webhooks and run the jobs, instead of the worker in the server. */
  INNGEST_EVENT_KEY: z.string().min(1).optional(),
  INNGEST_SIGNING_KEY: signingKey.optional(),
  /** A self-hosted Inngest. */
  INNGEST_BASE_URL: httpAddress.optional(),
  /** 1, or the address of Inngest's dev server. Its requests are not signed: for TEST only. */
  INNGEST_DEV: z.union([z.enum(['0', '1']), httpAddress], { message: 'must be 0, 1 or an http address' }).optional(),
  /** The signing key before a rotation: accepted beside the current one. */
  INNGEST_SIGNING_KEY_FALLBACK: signingKey.optional(),
  /** The origin at which Inngest reaches this server; unset, the public one. */
  INNGEST_SERVE_ORIGIN: httpOrigin.optional(),
  /** Seconds between the signal to stop and the end of listening: time for a proxy to see that /api/health says 503. */
  DRAIN_DELAY: integer(0, 0, 300),
  /** The bearer token of /api/metrics; without one there is no such page and nothing is counted. */
  METRICS_TOKEN: z
    .string()
    .min(16, 'must be at least 16 characters')
    .regex(/^[!-~]+$/, 'must be letters, digits and signs without spaces')
    .optional(),
  /** An OpenID provider with which people sign in too, beside their password; all three, or none. */
  OIDC_ISSUER: httpAddress.optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  /** What people call it, on the button. */
  OIDC_NAME: z.string().max(40, 'must have at most 40 characters').default('single sign-on'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], { message: 'must be debug, info, warn, error or silent' })
    .default('warn'),
});

/** Every setting there is. */
export const SETTING_NAMES = Object.keys(settings.shape);

type Settings = z.infer<typeof settings>;

/** Thrown when a setting is wrong; the message names the setting and never repeats its value. */
export class SettingsError extends Error {}

/**
 * Returns the settings in `source`, validated. Empty values count as unset.
 * @throws SettingsError naming every bad setting.
 */
export function parseSettings(source: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const parsed = settings.safeParse(given);
  if (parsed.success) {
    checkTogether(parsed.data);
    return parsed.data;
  }
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  throw new SettingsError(`Bad setting: ${problems.join('; ')}.`);
}

/** Refuses settings that are good by themselves but not together. */
function checkTogether(data: Settings): void {
  const testOnly = ENABLED.filter((name) => data[name] !== undefined && data[name] !== '0');
  if (data.ENVIRONMENT === 'LIVE' && testOnly[0])
    throw new SettingsError(`Bad setting: ${testOnly[0]} is for TEST only.`);
  const missing = (['INNGEST_EVENT_KEY', 'INNGEST_SIGNING_KEY'] as const).find((name) => !data[name]);
  if (usesInngest(data) && !isDev(data) && missing) throw new SettingsError(`Missing setting: ${missing}.`);
  const absent = OIDC.filter((name) => !data[name]);
  if (absent[0] && absent.length < OIDC.length) throw new SettingsError(`Missing setting: ${absent[0]}.`);
  // Whoever is between us and the provider would decide who signs in.
  if (data.OIDC_ISSUER && !/^(https:|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$))/.test(data.OIDC_ISSUER))
    throw new SettingsError('Bad setting: OIDC_ISSUER must be an https address.');
}

const OIDC = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

/** What LIVE never does: these are off when unset or 0. */
const ENABLED = ['WEBHOOKS_ALLOW_LOOPBACK', 'INNGEST_DEV'] as const;

function isDev({ INNGEST_DEV }: Settings): boolean {
  return INNGEST_DEV !== undefined && INNGEST_DEV !== '0';
}

function usesInngest(data: Settings): boolean {
  return isDev(data) || Boolean(data.INNGEST_EVENT_KEY || data.INNGEST_SIGNING_KEY || data.INNGEST_BASE_URL);
}

/** The settings of a running server: what the launcher fills in is there. */
export type Env = Settings & {
  DATABASE_URL: string;
  SECRET_KEY: string;
  origin: string;
  keyPrefix: 'pbk_test_' | 'pbk_live_';
};

/**
 * Returns the settings of this process, read once.
 * @throws SettingsError when one is bad or missing.
 */
export function env(): Env {
  return singleton('env', () => {
    const parsed = parseSettings(process.env);
    const { DATABASE_URL, SECRET_KEY } = parsed;
    if (!DATABASE_URL) throw new SettingsError('Missing setting: DATABASE_URL.');
    if (!SECRET_KEY) throw new SettingsError('Missing setting: SECRET_KEY.');
    return {
      ...parsed,
      DATABASE_URL,
      SECRET_KEY,
      origin: parsed.PUBLIC_ORIGIN ?? `http://localhost:${parsed.PORT}`,
      keyPrefix: parsed.ENVIRONMENT === 'LIVE' ? 'pbk_live_' : 'pbk_test_',
    };
  });
}

/** Which scheduler drives deliveries and jobs (architecture 7). */
export function schedulerInUse(): 'embedded' | 'inngest' {
  return usesInngest(env()) ? 'inngest' : 'embedded';
}

/** Returns where Inngest is and how we know each other. `baseUrl` undefined: the cloud, or the dev server's default. */
export function inngestSettings() {
  const { ENVIRONMENT, INNGEST_DEV, INNGEST_BASE_URL, INNGEST_SERVE_ORIGIN, origin } = env();
  const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, INNGEST_SIGNING_KEY_FALLBACK } = env();
  const dev = isDev(env());
  return {
    environment: ENVIRONMENT,
    isDev: dev,
    baseUrl: INNGEST_BASE_URL ?? (dev && INNGEST_DEV !== '1' ? INNGEST_DEV : undefined),
    eventKey: INNGEST_EVENT_KEY,
    signingKey: INNGEST_SIGNING_KEY,
    signingKeyFallback: INNGEST_SIGNING_KEY_FALLBACK,
    serveOrigin: INNGEST_SERVE_ORIGIN ?? origin,
  };
}

/** Returns the OpenID provider with which people may sign in, or null. */
export function oidcSettings() {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret, OIDC_NAME: name } = env();
  return issuer && clientId && clientSecret ? { issuer, clientId, clientSecret, name } : null;
}

/** What a derived secret is for. */
type Purpose = 'api-key' | 'cursor' | 'idempotency' | 'encryption' | 'fingerprint' | 'session' | 'invitation' | 'setup';

/**
 * Returns a 32-byte key derived from a deployment's secret for one purpose, so that a leak of one never opens
 * another. The environment is part of the derivation: TEST and LIVE differ even if somebody gives both one secret.
 */
export function deriveSecret(secretKey: string, environment: 'TEST' | 'LIVE', purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, environment, `partner-booking/${purpose}`, 32));
}

/** Returns this deployment's secret for one purpose. */
export function secretFor(purpose: Purpose): Buffer {
  return singleton(`secret:${purpose}`, () => deriveSecret(env().SECRET_KEY, env().ENVIRONMENT, purpose));
}
