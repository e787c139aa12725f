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
  PUBLIC_ORIGIN: z
    .url({ protocol: /^https?$/, message: 'must be an http or https origin', abort: true })
    .refine((value) => new URL(value).origin === value.replace(/\/$/, ''), 'must be an origin without a path')
    .transform((value) => new URL(value).origin)
    .optional(),
  /** Where the other environment's Control Center is, for a link to it. */
  OTHER_ENVIRONMENT_URL: z.url({ protocol: /^https?$/, message: 'must be an http or https address' }).optional(),
  /** How many proxies in front of us set X-Forwarded-For (contract B2). */
  TRUSTED_PROXIES: integer(0, 0, 16),
  /** Server processes that share the database; above 1 the rate limit lives in PostgreSQL. */
  INSTANCES: integer(1, 1, 1000),
  DATABASE_POOL: integer(16, 2, 200),
  /** Lets webhooks of TEST go to http and to this machine, for trying things out; LIVE does not start with it. */
  WEBHOOKS_ALLOW_LOOPBACK: z.enum(['0', '1'], { message: 'must be 0 or 1' }).default('0'),
  /** Any of these four makes Inngest deliver webhooks and run the jobs, instead of the worker in the server. */
  INNGEST_EVENT_KEY: z.string().min(1).optional(),
  INNGEST_SIGNING_KEY: z.string().min(1).optional(),
  INNGEST_BASE_URL: z.url({ protocol: /^https?$/, message: 'must be an http or https address' }).optional(),
  INNGEST_DEV: z.string().min(1).optional(),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], { message: 'must be debug, info, warn, error or silent' })
    .default('warn'),
});

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
  if (parsed.success && parsed.data.ENVIRONMENT === 'LIVE' && parsed.data.WEBHOOKS_ALLOW_LOOPBACK === '1')
    throw new SettingsError('Bad setting: WEBHOOKS_ALLOW_LOOPBACK is for TEST only.');
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  throw new SettingsError(`Bad setting: ${problems.join('; ')}.`);
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
  const { INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY, INNGEST_BASE_URL, INNGEST_DEV } = env();
  return INNGEST_EVENT_KEY || INNGEST_SIGNING_KEY || INNGEST_BASE_URL || INNGEST_DEV ? 'inngest' : 'embedded';
}

/** What a derived secret is for. */
type Purpose = 'api-key' | 'cursor' | 'idempotency' | 'encryption' | 'fingerprint' | 'session';

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
