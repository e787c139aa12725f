import { parseArgs } from 'node:util';
import { z } from 'zod';
import { emailAddress } from '@/lib/access/owners/email';
import { businessFields } from '@/lib/booking/catalog/edit/business-fields';
import { boundedText } from '@/lib/contract/bounded-text';
import type { NewTenant } from '@/lib/operations/tenants/add';
import { MAX_LIMIT, type TenantLimits } from '@/lib/operations/tenants/limits';
import { isPublicKey } from '@/lib/platform/ed25519';
import { isId } from '@/lib/platform/ids';
import { StartError } from '@/lib/platform/postgres/start-error';

export type TenantCommand =
  | { action: 'add'; tenant: NewTenant }
  | { action: 'invite'; tenantId: string; owner: string }
  | { action: 'list'; text: string; deleted: boolean }
  | { action: 'suspend'; tenantId: string; moving: boolean }
  | { action: 'resume'; tenantId: string }
  | { action: 'export'; tenantId: string; path: string; readable: boolean }
  | { action: 'delete'; tenantId: string; confirm: string }
  | { action: 'import'; path: string }
  | { action: 'verify'; path: string; signer: string | undefined }
  | { action: 'limit'; tenantId: string; limits: Partial<TenantLimits> };

const USAGE = `Usage:
  npm run tenant -- add --name NAME --time-zone ZONE --languages TAG[,TAG…] --owner EMAIL
  npm run tenant -- invite TENANT --owner EMAIL
  npm run tenant -- list [PART OF THE NAME] [--deleted]
  npm run tenant -- suspend TENANT [--moving]
  npm run tenant -- resume TENANT
  npm run tenant -- limit TENANT [--applications N] [--locations N] [--requests-per-minute N]
  npm run tenant -- export TENANT FILE [--readable]
  npm run tenant -- delete TENANT --confirm NAME
  npm run tenant -- import FILE
  npm run tenant -- verify FILE [--signer KEY]
TENANT is an ID, such as ten_01h2xcejqtf2nbrexx3vqjhp41. The list command shows the IDs. N is a number, or the word none for no limit.`;

const newTenant = z.strictObject({ ...businessFields, owner: emailAddress });

const LIMIT = `must be a whole number from 1 to ${MAX_LIMIT.toLocaleString('en')}, or none`;

const limit = boundedText(7, LIMIT)
  .regex(/^([1-9]\d{0,6}|none)$/, LIMIT)
  .transform((given) => (given === 'none' ? null : Number(given)))
  .refine((given) => given === null || given <= MAX_LIMIT, LIMIT)
  .exactOptional();

const newLimits = z.strictObject({ max_applications: limit, max_locations: limit, max_requests_per_minute: limit });

const confirmation = z.strictObject({ confirm: boundedText(1_000) });

/** Usually the option that sets the field. */
const OPTIONS: Record<string, string> = {
  business_name: '--name',
  time_zone: '--time-zone',
  locales: '--languages',
  owner: '--owner',
  tenant: 'The tenant',
  confirm: '--confirm',
  max_applications: '--applications',
  max_locations: '--locations',
  max_requests_per_minute: '--requests-per-minute',
};

/** Parses the command line of `npm run tenant`. @throws StartError that names the wrong argument, or shows the usage. */
export function parseCommand(args: string[]): TenantCommand {
  const { action, given, options } = split(args);
  const [most, ...allowed]: readonly (number | string)[] = ARGUMENTS[action];
  const extra = Object.keys(options).find((name) => !allowed.includes(name));
  if (extra) throw new StartError(`${action} has no option --${extra}.\n${USAGE}`);
  if (given.length > Number(most))
    throw new StartError(`Unexpected argument. Put quotes around a value that contains spaces.\n${USAGE}`);
  const [tenant, file] = given;
  if (action === 'add') {
    const { name: business_name, 'time-zone': time_zone, languages, owner } = options;
    const locales = languages?.split(',').map((tag) => tag.trim());
    return { action, tenant: checked(newTenant, { business_name, time_zone, locales, owner }) };
  }
  if (action === 'list') return { action, text: tenant ?? '', deleted: options.deleted === true };
  if (action === 'import') return { action, path: requireFile(tenant) };
  if (action === 'verify') return { action, path: requireFile(tenant), signer: requireKey(options.signer) };
  const tenantId = requireTenant(tenant);
  if (action === 'delete') return { action, tenantId, ...checked(confirmation, { confirm: options.confirm }) };
  if (action === 'export') return { action, tenantId, path: requireFile(file), readable: options.readable === true };
  if (action === 'limit') {
    const { applications: max_applications, locations: max_locations, 'requests-per-minute': perMinute } = options;
    const all = Object.entries({ max_applications, max_locations, max_requests_per_minute: perMinute });
    const changed = Object.fromEntries(all.filter(([, value]) => value !== undefined));
    return { action, tenantId, limits: checked(newLimits, changed) };
  }
  if (action === 'suspend') return { action, tenantId, moving: options.moving === true };
  if (action === 'resume') return { action, tenantId };
  return { action, tenantId, ...checked(z.strictObject({ owner: emailAddress }), { owner: options.owner }) };
}

/** The maximum number of arguments, the first of which is usually the tenant's id, and the options. */
const ARGUMENTS = {
  add: [0, 'name', 'time-zone', 'languages', 'owner'],
  invite: [1, 'owner'],
  list: [1, 'deleted'],
  suspend: [1, 'moving'],
  resume: [1],
  limit: [1, 'applications', 'locations', 'requests-per-minute'],
  export: [2, 'readable'],
  delete: [1, 'confirm'],
  import: [1],
  verify: [1, 'signer'],
} as const;

const text = { type: 'string' } as const;

function split(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        name: text,
        'time-zone': text,
        languages: text,
        owner: text,
        applications: text,
        locations: text,
        'requests-per-minute': text,
        readable: { type: 'boolean' },
        signer: text,
        confirm: text,
        deleted: { type: 'boolean' },
        moving: { type: 'boolean' },
      },
    });
    const [name = '', ...given] = positionals;
    if (isAction(name)) return { action: name, given, options: values };
  } catch {
    // The argument is an unknown option, or an option without a value.
  }
  throw new StartError(USAGE);
}

const isAction = (name: string): name is keyof typeof ARGUMENTS => Object.hasOwn(ARGUMENTS, name);

function requireTenant(id: string | undefined): string {
  if (id !== undefined && isId('ten', id)) return id;
  throw new StartError('Specify the ID of a tenant (ten_…). To see the IDs, run npm run tenant -- list.');
}

function requireFile(path: string | undefined): string {
  if (path) return path;
  throw new StartError(`Specify a file.\n${USAGE}`);
}

function requireKey(key: string | undefined): string | undefined {
  if (key === undefined || isPublicKey(key)) return key;
  throw new StartError('--signer must be a public key of 43 characters, as npm run tenant -- export prints it.');
}

function checked<Schema extends z.ZodType>(schema: Schema, given: object): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path: [field = ''], message }) =>
    optionProblem(String(field), Reflect.get(given, field) === undefined ? 'is missing' : message),
  );
  throw new StartError([...new Set(problems)].join('\n'));
}

/** Returns an error message about a field. It names the field's option, as in `--owner is missing.` */
export function optionProblem(field: string, message: string): string {
  return `${OPTIONS[field] ?? field} ${message}.`;
}
