import type { OperationId } from '../operations';
import type { ApiErrorCode } from './api-errors';
import type { InvalidField } from './body';

/**
 * Where the cause of an error can be removed. The value selects the link below the help text. `partner`, `operator`,
 * and `none` have no link, because no page of the Control Center can remove the cause.
 */
export const REMEDIES = ['policy', 'keys', 'application', 'catalog', 'partner', 'operator', 'none'] as const;
type Remedy = (typeof REMEDIES)[number];

/**
 * The meaning of an error and how to fix it. `fix` addresses the owner. A step that the partner must take starts
 * with "Ask the partner to".
 */
export type Help = { means: string; fix: string; remedy: Remedy };

type Reason = Help & {
  operations: readonly OperationId[];
  /** The fixed message, if it differs from the message of the code. */
  message?: string;
} & ({ code: 'invalid_request'; field: InvalidField } | { code: Exclude<ApiErrorCode, 'invalid_request'> });

/** Of a path under `/api` that no operation has, with or without a key (contract B3). */
const UNKNOWN_ROUTE =
  'No such path. The base path of the API is /api/partner/v1. Paths are exact: lowercase, and without a slash at the end.';

const LISTS = ['listCatalog', 'listSpecialists', 'listAvailability', 'explainAvailability', 'listBookings'] as const;
const CHANGES = ['cancelBooking', 'rescheduleBooking'] as const;
const WRITES = ['createBooking', ...CHANGES] as const;
/** Also the owner's reschedule in TEST (contract B20). */
const BOOKING = ['createBooking', 'rescheduleBooking', 'runOwnerAction'] as const;
/** They exist only in TEST (contract B20, B21). */
const SANDBOX_WRITES = ['setTestClock', 'runOwnerAction', 'reportConformance', 'checkSignature'] as const;
/**
 * Operations that can be refused because the policy does not allow a location. Their request names a location or a
 * booking, or their result contains bookings.
 */
const NAMING = [
  'listSpecialists',
  'listAvailability',
  'listAvailabilityDays',
  'explainAvailability',
  'listBookings',
  'readBooking',
  ...WRITES,
  'putBusyTime',
  'runOwnerAction',
] as const;
const ALL = [
  'listCatalog',
  ...NAMING,
  'sendTestEvent',
  'digestBookings',
  'listEvents',
  'readMe',
  'deleteBusyTime',
  'setTestClock',
  'readReadiness',
  'reportConformance',
  'checkSignature',
] as const;

/**
 * Every reason of the public API (contract B3), for responses, OpenAPI, the documentation, and the Control Center.
 * The OpenAPI document lists the reasons in this order.
 */
export const REASONS = {
  missing: {
    code: 'invalid_api_key',
    operations: ALL,
    message: 'The request has no API key. Send the header Authorization: Bearer, followed by a space and the key.',
    means: 'The request has no API key.',
    fix: 'Ask the partner to send its API key in the Authorization header, after the word Bearer.',
    remedy: 'partner',
  },
  wrong_environment: {
    code: 'invalid_api_key',
    operations: ALL,
    message:
      'The key belongs to the other environment. Keys that start with pbk_test_ are for TEST, and keys that start with pbk_live_ are for LIVE.',
    means: 'The key belongs to the other environment (TEST or LIVE).',
    fix: 'Ask the partner to use a key of this environment. TEST keys start with pbk_test_, and LIVE keys start with pbk_live_.',
    remedy: 'partner',
  },
  malformed: {
    code: 'invalid_api_key',
    operations: ALL,
    message:
      'The API key has a typo or was cut off: its form or its checksum is wrong. Copy the whole key again, without quotes.',
    means: 'The text that was sent as the key cannot be a key of this environment: its form or its checksum is wrong.',
    fix: 'Ask the partner to copy the whole key again, without quotes or spaces.',
    remedy: 'partner',
  },
  failed_authentication: {
    code: 'rate_limited',
    operations: ALL,
    message:
      'The API key was not accepted, and more than 30 requests from your address failed authentication within a minute. Use a valid key, which is accepted immediately. Waiting does not help: after the delay in Retry-After, the same key gets a 401 again.',
    means:
      'Too many requests from this address failed authentication within a minute. The quota of the application is not affected.',
    fix: 'Ask the partner to stop the client that sends no key or an invalid key, and to correct the key. Valid keys from the same address are still accepted.',
    remedy: 'keys',
  },
  suspended: {
    code: 'credential_restricted',
    operations: ALL,
    message: 'The application or the business is suspended.',
    means: 'The application or the whole business is suspended. All keys of the application are refused.',
    fix: 'Resume the application if its requests should be accepted again. Only the operator can resume a business.',
    remedy: 'application',
  },
  ip: {
    code: 'credential_restricted',
    operations: ALL,
    message: "The address of this request is not in the application's allowed networks.",
    means: 'The request came from an address that is not in the application’s allowed networks.',
    fix: 'If the address belongs to the partner, add the address or its range to the networks in the policy. The change applies from the next request.',
    remedy: 'policy',
  },
  origin: {
    code: 'credential_restricted',
    operations: ALL,
    message: "The Origin header is missing or not in the application's allowed origins.",
    means: 'The Origin header is missing or not in the application’s allowed origins.',
    fix: 'Add the origin to the policy, or remove the restriction. Servers usually send no Origin header.',
    remedy: 'policy',
  },
  location: {
    code: 'credential_restricted',
    operations: NAMING,
    message: 'The application is not allowed to use this location.',
    means: 'The location exists, but the application is not allowed to use it.',
    fix: 'If the partner should use the location, add it to the policy.',
    remedy: 'policy',
  },
  unknown_field: {
    code: 'invalid_request',
    operations: ALL,
    field: { path: '*', message: 'is unknown' },
    means: 'The request has a field or parameter that the contract does not define.',
    fix: 'Ask the partner to remove or rename each field listed here. A name is shown as * if it might contain customer data.',
    remedy: 'partner',
  },
  cursor_mismatch: {
    code: 'invalid_request',
    operations: LISTS,
    field: { path: 'cursor', message: 'must be the next_cursor of the same query' },
    means: 'The cursor does not belong to this query. It was truncated, changed, or used with other filters.',
    fix: 'Ask the partner to read the list again from the first page, without a cursor, and to use the same filters for every page.',
    remedy: 'partner',
  },
  events_expired: {
    code: 'invalid_request',
    operations: ['listEvents'],
    field: { path: 'after', message: 'is before the oldest event that is kept: list your bookings, then continue' },
    means:
      'The partner asks for events that are no longer kept, because they are older than 30 days or the sandbox was reset.',
    fix: 'Ask the partner to list its bookings again, and to continue after the sequence of that list.',
    remedy: 'partner',
  },
  sequence_unknown: {
    code: 'invalid_request',
    operations: ['listEvents'],
    field: { path: 'after', message: 'is after your latest event: list your bookings, then continue' },
    means:
      'The sequence is later than the latest event of the application, for example of another application or environment.',
    fix: 'Ask the partner to check the application and the environment of its key, and to list its bookings again.',
    remedy: 'partner',
  },
  idempotency_key_required: {
    code: 'invalid_request',
    operations: [...WRITES, 'sendTestEvent', 'putBusyTime', ...SANDBOX_WRITES],
    field: { path: 'Idempotency-Key', message: 'is required' },
    means: 'A write was sent without an Idempotency-Key header.',
    fix: 'Ask the partner to send an Idempotency-Key header of 16 to 128 characters with every write.',
    remedy: 'partner',
  },
  location_required: {
    code: 'invalid_request',
    operations: ['listAvailability', 'explainAvailability', 'createBooking'],
    field: { path: 'location_id', message: 'is required: the service is offered at several locations' },
    means: 'The service is offered at several locations, and the request does not state a location.',
    fix: 'Ask the partner to send a location_id from the catalog.',
    remedy: 'partner',
  },
  sensitive_reference: {
    code: 'invalid_request',
    operations: ['createBooking'],
    field: {
      path: 'external_reference',
      message:
        'must not contain an email address, a card number, a credential, or the name or phone number of the customer',
    },
    means:
      'The external_reference or the metadata contains data that is not allowed: contact details, a name, a card number, or a credential.',
    fix: 'Ask the partner to send an order number or another ID that reveals nothing about the customer.',
    remedy: 'partner',
  },
  unknown_route: {
    code: 'not_found',
    // No operation states it: it is the answer to a path that belongs to none.
    operations: [],
    message: UNKNOWN_ROUTE,
    means: 'The path is none of the API. No key could reach it.',
    fix: 'Ask the partner to compare the path with the reference. Paths are exact: lowercase, and without a slash at the end.',
    remedy: 'partner',
  },
  booking_not_active: {
    code: 'booking_unavailable',
    operations: [...CHANGES, 'runOwnerAction'],
    message: 'The booking is canceled, completed, or marked as a no-show. It cannot be changed any more.',
    means: 'The booking is canceled, completed, or marked as a no-show. The partner cannot change it any more.',
    fix: 'If a booking is still needed, ask the partner to create a new one.',
    remedy: 'partner',
  },
  outside_cancellation_window: {
    code: 'booking_unavailable',
    operations: CHANGES,
    message: 'The deadline for changes, change_deadline, has passed. Only the business can still change the booking.',
    means: 'The deadline for changes by the partner has passed.',
    fix: 'You can still cancel or reschedule the booking yourself. The deadline (change_deadline) applies only to the partner.',
    remedy: 'partner',
  },
  not_started: {
    code: 'booking_unavailable',
    operations: ['runOwnerAction'],
    message: 'The booking has not started yet. Advance your clock beyond its start first.',
    means: 'Only in TEST: the partner wanted to complete a booking, or mark it as a no-show, before its start.',
    fix: 'Ask the partner to advance its clock beyond the start of the booking first.',
    remedy: 'partner',
  },
  not_reopenable: {
    code: 'booking_unavailable',
    operations: ['runOwnerAction'],
    message: 'Only a booking that was completed or marked as a no-show in the last 24 hours can be reopened.',
    means:
      'Only in TEST: the partner wanted to undo a completion or a no-show that is older than a day, or that never was.',
    fix: 'Ask the partner to complete a booking first, and to reopen it within 24 hours of its clock.',
    remedy: 'partner',
  },
  same_slot: {
    code: 'booking_unavailable',
    operations: ['rescheduleBooking', 'runOwnerAction'],
    message: 'The booking already has this start and this specialist.',
    means: 'The booking is already at that time with that specialist.',
    fix: 'No action is needed. If the customer wants a different time, ask the partner to offer other times.',
    remedy: 'partner',
  },
  service_unpublished: {
    code: 'booking_unavailable',
    operations: BOOKING,
    message: 'The service is no longer offered.',
    means: 'The service exists but is not published.',
    fix: 'Publish the service, or ask the partner to read the catalog again and stop offering the service.',
    remedy: 'catalog',
  },
  specialist_unavailable: {
    code: 'booking_unavailable',
    operations: BOOKING,
    message: 'The specialist does not offer this service at this location.',
    means: 'The requested specialist is not published or does not offer this service at this location.',
    fix: 'Ask the partner to choose a specialist from the availability, or to omit specialist_id to get any available specialist.',
    remedy: 'partner',
  },
  nonexistent_local_time: {
    code: 'booking_unavailable',
    operations: BOOKING,
    message: 'The local time does not exist on this date, because daylight saving skips it.',
    means: 'The local time does not exist at the location because daylight saving skips it.',
    fix: 'Ask the partner to use times from the availability, which never lists skipped times.',
    remedy: 'partner',
  },
  lead_time: {
    code: 'booking_unavailable',
    operations: BOOKING,
    message: 'The start is in the past, or the service requires more notice: see min_lead_minutes.',
    means: 'The time is in the past, or the service requires more notice.',
    fix: 'Ask the partner to offer later times. The minimum notice is min_lead_minutes in the catalog.',
    remedy: 'partner',
  },
  max_advance: {
    code: 'booking_unavailable',
    operations: BOOKING,
    message: 'The start is too far ahead to be booked yet: see max_advance_days.',
    means: 'The time is too far in the future to be booked yet.',
    fix: 'Ask the partner to offer earlier times. The limit is max_advance_days in the catalog.',
    remedy: 'partner',
  },
  off_grid: {
    code: 'booking_unavailable',
    operations: BOOKING,
    message:
      'The start does not fit slot_interval_minutes, counted from midnight. Send a start_time exactly as availability lists it.',
    means:
      'The start time does not match the slot interval of the service. A client that uses the listed times never gets this.',
    fix: 'Ask the partner to use the times from the availability exactly as listed.',
    remedy: 'partner',
  },
  outside_schedule: {
    code: 'booking_unavailable',
    operations: BOOKING,
    message: 'The location is closed, no specialist works at this time, or the service is not offered there.',
    means: 'No specialist works at that time, the location is closed, or the service is not offered there.',
    fix: 'Ask the partner to use the times from the availability exactly as listed.',
    remedy: 'partner',
  },
  slot_taken: {
    code: 'booking_unavailable',
    operations: BOOKING,
    message: 'The slot is not free any more. Read the availability again and choose another one.',
    means: 'The slot was available when it was offered and has been booked since. No double booking occurred.',
    fix: 'Ask the partner to read the availability again and offer another time. This is normal when demand is high.',
    remedy: 'partner',
  },
  no_endpoint: {
    code: 'endpoint_unavailable',
    operations: ['sendTestEvent', 'checkSignature'],
    message: 'Your application has no webhook endpoint.',
    means: 'The application has no webhook endpoint.',
    fix: 'Create the endpoint on the application’s Webhook page.',
    remedy: 'application',
  },
  endpoint_paused: {
    code: 'endpoint_unavailable',
    operations: ['sendTestEvent', 'checkSignature'],
    message: 'Your webhook endpoint is paused.',
    means: 'The webhook endpoint is paused.',
    fix: 'Resume the endpoint. You can also send a test event yourself while the endpoint is paused.',
    remedy: 'application',
  },
  endpoint_disabled: {
    code: 'endpoint_unavailable',
    operations: ['sendTestEvent', 'checkSignature'],
    message: 'Your webhook endpoint is disabled.',
    means:
      'The webhook endpoint is disabled because it responded with 410 Gone, or because no delivery succeeded for 120 hours.',
    fix: 'Ask the partner to fix the receiver. Then send a test event yourself and re-enable the endpoint.',
    remedy: 'application',
  },
} as const satisfies Record<string, Reason>;

/** Returns the fixed message of a reason, or null if the reason has no message of its own and uses that of its code. */
export function messageOf(name: ErrorReason): string | null {
  const reason: Reason = REASONS[name];
  return reason.message ?? null;
}

export type ErrorReason = keyof typeof REASONS;

export type ReasonOf<Code extends ApiErrorCode> = {
  [R in ErrorReason]: (typeof REASONS)[R]['code'] extends Code ? R : never;
}[ErrorReason];

/** The reasons that an operation can state with a code. */
export type OperationReason<Id extends OperationId, Code extends ApiErrorCode> = {
  [R in ReasonOf<Code>]: Id extends (typeof REASONS)[R]['operations'][number] ? R : never;
}[ReasonOf<Code>];

const NAMES = Object.keys(REASONS) as ErrorReason[];

/** Returns the reasons that narrow a code. With `operation`, returns only those that this operation can state. */
export function reasonsOf(code: ApiErrorCode, operation?: OperationId): readonly ErrorReason[] {
  return NAMES.filter((name) => {
    const reason: Reason = REASONS[name];
    return reason.code === code && (operation === undefined || reason.operations.includes(operation));
  });
}
