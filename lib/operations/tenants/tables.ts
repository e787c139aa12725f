/** `tenant` is SQL for the tenant's id. */
type Rows = (tenant: string) => string;

const own: Rows = (tenant) => `tenant_id = ${tenant}`;

const under =
  (column: string, parent: string): Rows =>
  (tenant) =>
    `${column} IN (SELECT id FROM ${parent} WHERE tenant_id = ${tenant})`;

const ofMembers: Rows = (tenant) => `user_id IN (SELECT user_id FROM memberships WHERE tenant_id = ${tenant})`;

/** Members, accounts of this tenant only, and users to whom its rows refer, such as former members. */
const accounts: Rows = (tenant) => `id IN (
  SELECT user_id FROM memberships WHERE tenant_id = ${tenant}
  UNION SELECT id FROM users WHERE tenant_id = ${tenant}
  UNION SELECT user_id FROM sign_ins WHERE tenant_id = ${tenant}
  UNION SELECT user_id FROM refused_calls WHERE tenant_id = ${tenant}
  UNION SELECT invited_by_id FROM invitations WHERE tenant_id = ${tenant}
  UNION SELECT actor_id FROM audit_log WHERE tenant_id = ${tenant} AND actor_kind = 'owner'
  UNION SELECT object_id FROM audit_log WHERE tenant_id = ${tenant} AND object_kind = 'user')`;

/** Each after the tables to which its foreign keys refer. */
export const TENANT_TABLES: ReadonlyMap<string, Rows> = new Map([
  ['tenants', (tenant: string) => `id = ${tenant}`],
  ['users', accounts],
  ['totp_factors', ofMembers],
  ['passkeys', ofMembers],
  ['recovery_codes', ofMembers],
  ['user_identities', ofMembers],
  ['memberships', own],
  ['saved_views', own],
  ['sign_ins', own],
  ['refused_calls', own],
  ['invitations', own],
  ['locations', own],
  ['member_locations', own],
  ['remembered_locations', own],
  ['location_hours', under('location_id', 'locations')],
  ['location_exceptions', under('location_id', 'locations')],
  ['services', own],
  ['scheduled_prices', own],
  ['specialists', own],
  ['offerings', own],
  ['specialist_hours', own],
  ['specialist_breaks', under('specialist_id', 'specialists')],
  ['specialist_exceptions', own],
  ['specialist_time_off', under('specialist_id', 'specialists')],
  ['calendars', own],
  ['calendar_feeds', own],
  ['applications', own],
  ['application_locations', own],
  // Own systems push busy times.
  ['blocks', own],
  ['block_days', own],
  ['readiness_records', own],
  ['api_keys', under('application_id', 'applications')],
  // The index of the exclusion constraint begins with the specialist. There is none on the tenant.
  ['slot_claims', under('specialist_id', 'specialists')],
  ['bookings', own],
  ['erasures', own],
  ['erasure_bookings', own],
  ['idempotency_keys', under('application_id', 'applications')],
  ['events', own],
  ['event_counters', own],
  ['event_sequences', own],
  ['webhook_endpoints', own],
  ['webhook_secrets', under('application_id', 'applications')],
  ['webhook_replays', own],
  ['deliveries', own],
  ['delivery_attempts', under('delivery_id', 'deliveries')],
  ['request_counts', own],
  // A deletion, in reverse order, removes the log first. Otherwise, new counts could appear after their deletion.
  ['request_log', own],
  ['audit_log', own],
]);

/** With the reason. */
export const OTHER_TABLES: ReadonlyMap<string, string> = new Map([
  ['address_links', 'Such a link works for half an hour, in the deployment that has mailed it.'],
  ['cache_versions', 'These numbers only tell the servers of this deployment when their caches are out of date.'],
  [
    'change_watches',
    'Thin events begin anew in another deployment, whose tokens differ. Its rows are deleted with their application.',
  ],
  ['environment', 'It describes the deployment.'],
  ['mails', 'Only the deployment that has queued a mail sends it. Its rows are deleted with their tenant.'],
  ['password_links', 'Such a link works for half an hour, in the deployment that has mailed it.'],
  ['rate_limits', 'It contains only the counts of the current minute.'],
  ['request_counts_progress', 'It states up to which hour the requests of all tenants have been counted.'],
  ['second_steps', 'A sign-in can be completed only in the deployment in which it began.'],
  ['sessions', 'Members sign in again.'],
  [
    'slot_changes',
    'The first thin event after an import states that everything may have changed. Its rows are deleted with their tenant.',
  ],
  ['tenant_deletions', 'It is a record for the operator of this deployment.'],
  ['setup_link', 'The link creates the first tenant of a deployment.'],
]);
