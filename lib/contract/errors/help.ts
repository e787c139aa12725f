import { ERROR_CODES, type ErrorCode, type ErrorReason } from './codes';

/** Where the cause is removed: in the application's policy, its keys or its state, by the partner, or by us. */
export type Remedy = 'policy' | 'keys' | 'application' | 'partner' | 'operator' | 'none';

/** What an error means and how to fix it, for the owner and for support. */
export type Help = { means: string; fix: string; remedy: Remedy };

const CODES: Record<ErrorCode, Help> = {
  invalid_api_key: {
    means: 'The key was not accepted: it is unknown here, mistyped, expired, revoked or already rotated out.',
    fix: 'Compare the key in use with the list of keys. If it has ended, issue a new one or rotate, and have the partner put it in place.',
    remedy: 'keys',
  },
  insufficient_scope: {
    means: 'The key is good, but its application does not have the scope that this route needs.',
    fix: 'If the partner should be able to do this, add the scope to the application’s policy. It counts from the next request on.',
    remedy: 'policy',
  },
  credential_restricted: {
    means: 'The key is good, but a restriction of its application does not allow this request.',
    fix: 'Check the restrictions in the application’s policy.',
    remedy: 'policy',
  },
  invalid_request: {
    means: 'The request is not written as the contract says. Nothing was done.',
    fix: 'The partner corrects the fields named here. Sending the same request again gives the same answer.',
    remedy: 'partner',
  },
  booking_unavailable: {
    means: 'The booking could not be made or changed as asked.',
    fix: 'The partner reads the availability again and offers a free time.',
    remedy: 'partner',
  },
  not_found: {
    means:
      'There is no such record for this application, or no such route. Records of others look the same on purpose.',
    fix: 'Check the id or path in use, that it belongs to this environment, and that a service, location or specialist is published and allowed.',
    remedy: 'partner',
  },
  idempotency_key_reused: {
    means: 'The idempotency key was used before with a different request. Nothing was done.',
    fix: 'The partner uses a new key for each new operation, and the same key only to repeat the very same request.',
    remedy: 'partner',
  },
  booking_version_conflict: {
    means: 'The booking has been changed since the partner last read it: expected_version is not the current one.',
    fix: 'The partner reads the booking again and repeats the change with its current version.',
    remedy: 'partner',
  },
  rate_limited: {
    means: 'The application sent more requests than its quota allows, or its address failed to authenticate too often.',
    fix: 'The partner waits as long as Retry-After says and spreads its requests. If the traffic is wanted, raise the quota in the policy.',
    remedy: 'policy',
  },
  service_unavailable: {
    means: 'The server could not answer in time. A write either happened as a whole or not at all.',
    fix: 'The partner repeats the exact same request with the same idempotency key and a growing delay. If it goes on, look at the server’s log for this request id.',
    remedy: 'operator',
  },
  sign_in_required: {
    means: 'Nobody was signed in to the Control Center.',
    fix: 'Sign in and try again.',
    remedy: 'none',
  },
  forbidden: {
    means: 'The person’s role does not allow this.',
    fix: 'An owner can do it, or change the role.',
    remedy: 'none',
  },
  attempt_under_way: {
    means: 'The delivery is being sent at this moment.',
    fix: 'Wait until the attempt has ended, half a minute at most, then replay if it is still wanted.',
    remedy: 'application',
  },
  replay_running: {
    means: 'Deliveries of an earlier replay of this endpoint still wait.',
    fix: 'Wait for its end, or stop it.',
    remedy: 'application',
  },
  endpoint_not_active: {
    means: 'The webhook endpoint of the application is paused or disabled, or the application is.',
    fix: 'Make it active again first: what is held is then sent by itself.',
    remedy: 'application',
  },
  too_many_secrets: {
    means: 'Five secrets of the endpoint sign at the same time already.',
    fix: 'End one of them, wait until the first ends, or rotate without an overlap.',
    remedy: 'application',
  },
  version_conflict: {
    means: 'Somebody else changed the same thing in the Control Center meanwhile.',
    fix: 'Load it again, look at the change, then make yours.',
    remedy: 'none',
  },
  not_started: {
    means: 'A booking is completed, or marked as no-show, once its time has begun.',
    fix: 'Wait until then, or cancel the booking.',
    remedy: 'none',
  },
  last_owner: {
    means: 'The Control Center would have been left without an owner.',
    fix: 'Make another member an owner first.',
    remedy: 'none',
  },
};

const REASONS: Record<ErrorReason, Help> = {
  service_unpublished: {
    means: 'The service exists but is not published.',
    fix: 'Publish the service, or have the partner read the catalog again and stop offering it.',
    remedy: 'partner',
  },
  specialist_unavailable: {
    means: 'The specialist asked for is not published or does not offer this service at this location.',
    fix: 'The partner picks a specialist from the availability, or leaves specialist_id out and gets whoever is free.',
    remedy: 'partner',
  },
  nonexistent_local_time: {
    means: 'That time does not exist at the location: the clocks are set forward over it.',
    fix: 'The partner uses times from the availability, which never lists skipped hours.',
    remedy: 'partner',
  },
  lead_time: {
    means: 'The time is in the past or too soon: the service needs more notice.',
    fix: 'The partner offers later times. The notice is min_lead_minutes in the catalog.',
    remedy: 'partner',
  },
  max_advance: {
    means: 'The time is further ahead than the service can be booked.',
    fix: 'The partner offers earlier times. The limit is max_advance_days in the catalog.',
    remedy: 'partner',
  },
  outside_schedule: {
    means: 'Nobody works then, the location is closed, the service is not offered there, or the start is off the grid.',
    fix: 'The partner uses times from the availability exactly as listed.',
    remedy: 'partner',
  },
  slot_taken: {
    means: 'The time was free when it was offered and has been taken since. Nobody was booked twice.',
    fix: 'The partner reads the availability again and offers another time. This is normal under demand.',
    remedy: 'partner',
  },
  booking_not_active: {
    means: 'The booking is cancelled, completed or marked as no-show; that is final.',
    fix: 'The partner reads the booking and makes a new one if it is still wanted.',
    remedy: 'partner',
  },
  outside_cancellation_window: {
    means: 'The deadline for changes by the partner has passed.',
    fix: 'You can still cancel the booking yourself; the deadline binds the partner only. It is change_deadline of the booking.',
    remedy: 'partner',
  },
  same_slot: {
    means: 'The booking already is at that time with that specialist.',
    fix: 'Nothing needs to be done; the partner offers another time if a change is wanted.',
    remedy: 'partner',
  },
  location_required: {
    means: 'The service is offered at several locations, and the request names none.',
    fix: 'The partner sends location_id, from the catalog.',
    remedy: 'partner',
  },
  sensitive_reference: {
    means:
      'external_reference holds something that must not be in it: a contact, a name, a card number or a credential.',
    fix: 'The partner sends an order number or another id of its own that says nothing about the guest.',
    remedy: 'partner',
  },
  unknown_field: {
    means: 'The request has a field or parameter that the contract does not know.',
    fix: 'The partner removes it or corrects its name, and every other field named here. A name shown as * is hidden because it could hold data.',
    remedy: 'partner',
  },
  cursor_mismatch: {
    means: 'The cursor is not one that this query produced: it was cut, changed, or used with other filters.',
    fix: 'The partner starts again without a cursor and keeps the filters the same from page to page.',
    remedy: 'partner',
  },
  idempotency_key_required: {
    means: 'A write came without an Idempotency-Key.',
    fix: 'The partner sends an Idempotency-Key of 16 to 128 characters with every write.',
    remedy: 'partner',
  },
  suspended: {
    means: 'The application is suspended: all its keys are refused.',
    fix: 'Resume the application if its traffic is wanted again.',
    remedy: 'application',
  },
  ip: {
    means: 'The request came from an address that is not in the application’s allowed networks.',
    fix: 'If the address is the partner’s, add it or its range to the networks in the policy. It counts from the next request on.',
    remedy: 'policy',
  },
  origin: {
    means: 'The Origin header is missing or not in the application’s allowed origins.',
    fix: 'Add the origin to the policy, or remove the restriction: servers usually send no Origin.',
    remedy: 'policy',
  },
  location: {
    means: 'The location exists but is not among those that the application may use.',
    fix: 'If the partner should work with it, add the location to the policy.',
    remedy: 'policy',
  },
  missing: {
    means: 'The request carried no key.',
    fix: 'The partner sends the header Authorization: Bearer, followed by its key.',
    remedy: 'partner',
  },
  wrong_environment: {
    means: 'The key belongs to the other environment.',
    fix: 'The partner uses a key that starts with pbk_test_ for TEST and one with pbk_live_ for LIVE.',
    remedy: 'partner',
  },
};

const WRONG_METHOD: Help = {
  means: 'The path exists, but not with this method.',
  fix: 'The partner uses a method that the answer’s Allow header names.',
  remedy: 'partner',
};

type Refusal = { status: number; code: string; reason: string | null };

/** Returns what a refusal means: its reason says more than its code. Null for a word that is not ours. */
export function helpFor({ status, code, reason }: Refusal): Help | null {
  if (status === 405) return WRONG_METHOD;
  if (reason !== null && isReason(reason)) return REASONS[reason];
  return isCode(code) ? CODES[code] : null;
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

function isReason(reason: string): reason is ErrorReason {
  return Object.hasOwn(REASONS, reason);
}
