import { z } from 'zod';
import {
  createApplication,
  type PolicyInput,
  setOwnSystem,
  setSuspended,
  updatePolicy,
} from '@/lib/access/applications/applications';
import { type ApplicationDetail, changesSince, readApplication } from '@/lib/access/applications/detail';
import { type ApplicationSummary, listApplications, PAGE_SIZE, SORTS } from '@/lib/access/applications/list';
import { previewPolicy, REFUSALS } from '@/lib/access/applications/policy-preview';
import { resetClock } from '@/lib/booking/sandbox/clock';
import { boundedText } from '@/lib/contract/bounded-text';
import { recordId, SCOPES } from '@/lib/contract/common';
import { displayNameSchema } from '@/lib/platform/text/display-name';
import { memberProcedure, ownerProcedure, router, sensitiveProcedure } from '../init';
import { count, nothing, outputTime } from '../inputs';

const listInput = z.strictObject({
  search: boundedText(200).default(''),
  status: z.enum(['any', 'active', 'suspended']).default('any'),
  sort: z.enum(SORTS).default('name'),
  direction: z.enum(['asc', 'desc']).default('asc'),
  page: z.int().min(1).max(10_000).default(1),
});

const figures = {
  keys_in_use: count,
  last_request_at: outputTime.nullable(),
  requests_24h: count,
  errors_24h: count,
};

const summary = z.strictObject({
  id: z.string(),
  name: z.string(),
  suspended_at: outputTime.nullable(),
  created_at: outputTime,
  scopes: z.array(z.enum(SCOPES)),
  all_locations: z.boolean(),
  location_count: count,
  location_names: z.array(z.string()),
  ...figures,
});

// lib/access validates each value. These limits only bound the size of a request.
const policyFields = {
  name: displayNameSchema(200),
  scopes: z.array(z.enum(SCOPES)).max(SCOPES.length),
  all_locations: z.boolean(),
  location_ids: z.array(recordId).max(500),
  origins: z.array(boundedText(300)).max(200),
  networks: z.array(boundedText(300)).max(200),
  quota: z.number(),
  agents_ask: z.boolean(),
};
const policyInput = z.strictObject(policyFields);

const detail = z.strictObject({
  id: z.string(),
  name: z.string(),
  suspended_at: outputTime.nullable(),
  created_at: outputTime,
  version: z.int(),
  scopes: z.array(z.enum(SCOPES)),
  all_locations: z.boolean(),
  location_ids: z.array(z.string()),
  origins: z.array(z.string()),
  networks: z.array(z.string()),
  quota: z.int(),
  agents_ask: z.boolean(),
  own_system: z.boolean(),
  clock_offset_seconds: count,
  ...figures,
});

const refused = z.strictObject({
  reason: z.enum(REFUSALS),
  count,
  groups: z.array(z.strictObject({ what: z.string().nullable(), count, request_id: z.string() })),
  more: count,
});

const preview = z.strictObject({
  since: outputTime,
  seen: count,
  checked: count,
  refused: count,
  unknown: count,
  refusals: z.array(refused),
  quota: z
    .strictObject({ minutes: count, excess: count, peak: count, peak_at: outputTime, request_id: z.string() })
    .nullable(),
});

const change = z.strictObject({ at: outputTime, by: z.string(), action: z.string(), fields: z.array(z.string()) });

const one = z.strictObject({ application_id: recordId });
const version = z.int().min(1);

function policyOf(input: z.output<typeof policyInput>): PolicyInput {
  const { name, quota, agents_ask: agentsAsk } = input;
  return {
    name,
    quota,
    agentsAsk,
    scopes: SCOPES.filter((scope) => input.scopes.includes(scope)),
    allLocations: input.all_locations,
    // If `all_locations` is true, the list is not stored. If it were stored, the form would select its locations again
    // when the owner sets `all_locations` to false later.
    locationIds: input.all_locations ? [] : [...new Set(input.location_ids)],
    origins: [...new Set(input.origins)],
    networks: [...new Set(input.networks)],
  };
}

/** Owners and support read, only owners change. */
export const applicationsRouter = router({
  list: memberProcedure
    .input(listInput)
    .output(z.strictObject({ applications: z.array(summary), total: count, page_size: count }))
    .query(async ({ ctx: { member, now }, input }) => {
      const { applications, total } = await listApplications(now, member.tenantId, input);
      return { applications: applications as Known<ApplicationSummary>[], total, page_size: PAGE_SIZE };
    }),

  get: memberProcedure
    .input(one)
    .output(detail)
    .query(
      async ({ ctx: { member, now }, input }) =>
        (await readApplication(now, member.tenantId, input.application_id)) as Known<ApplicationDetail>,
    ),

  changes: ownerProcedure
    .input(z.strictObject({ application_id: recordId, since_version: version }))
    .output(z.array(change))
    .query(({ ctx: { member }, input }) => changesSince(member.tenantId, input.application_id, input.since_version)),

  create: sensitiveProcedure
    .input(policyInput)
    .output(z.strictObject({ id: z.string() }))
    .mutation(async ({ ctx: { by, now }, input }) => ({ id: (await createApplication(now, by, policyOf(input))).id })),

  // This procedure changes nothing. It is a mutation, because the input can be too long for a URL.
  preview: ownerProcedure
    .input(z.strictObject({ application_id: recordId, ...policyFields }))
    .output(preview)
    .mutation(({ ctx: { member, now }, input: { application_id, ...policy } }) =>
      previewPolicy(now, member.tenantId, application_id, policyOf(policy)),
    ),

  update: sensitiveProcedure
    .input(z.strictObject({ application_id: recordId, expected_version: version, ...policyFields }))
    .output(z.strictObject({ version }))
    .mutation(async ({ ctx: { by, now }, input: { application_id: applicationId, expected_version, ...policy } }) => {
      const target = { ...by, applicationId, expectedVersion: expected_version };
      return { version: (await updatePolicy(now, target, policyOf(policy))).version };
    }),

  set_own_system: sensitiveProcedure
    .input(z.strictObject({ application_id: recordId, own_system: z.boolean() }))
    .output(nothing)
    .mutation(({ ctx: { by, now }, input: { application_id: applicationId, own_system } }) =>
      setOwnSystem(now, { ...by, applicationId, ownSystem: own_system }),
    ),

  reset_clock: ownerProcedure
    .input(one)
    .output(z.strictObject({ clock_offset_seconds: count }))
    .mutation(async ({ ctx: { by, now }, input: { application_id: applicationId } }) => {
      await resetClock(now, { ...by, applicationId });
      return { clock_offset_seconds: 0 };
    }),

  set_suspended: ownerProcedure
    .input(z.strictObject({ application_id: recordId, suspended: z.boolean() }))
    .output(nothing)
    .mutation(({ ctx: { by, now }, input: { application_id: applicationId, suspended } }) =>
      setSuspended(now, { ...by, applicationId, suspended }),
    ),
});

/** Narrows the type of `scopes` to known scopes. A database constraint ensures that all stored scopes are known. */
type Known<T extends { scopes: string[] }> = Omit<T, 'scopes'> & { scopes: (typeof SCOPES)[number][] };
