import { ERROR_CODES, type ErrorCode } from './codes';
import { type ErrorReason, type Help, REASONS } from './reasons';

const CODES: Record<ErrorCode, Help> = {
  invalid_api_key: {
    means: 'The key was not accepted: it is unknown, mistyped, expired, revoked, or replaced by a rotation.',
    fix: 'Compare the key with the list of keys. If the key has expired or is revoked, issue a new key and ask the partner to use the new key.',
    remedy: 'keys',
  },
  insufficient_scope: {
    means: 'The key is valid, but its application lacks the scope that this route requires.',
    fix: 'If the partner should be allowed to do this, add the scope to the application’s policy. The change applies from the next request.',
    remedy: 'policy',
  },
  credential_restricted: {
    means: 'The key is valid, but a restriction of its application does not allow this request.',
    fix: 'Check the restrictions in the application’s policy.',
    remedy: 'policy',
  },
  invalid_request: {
    means: 'The request violates the contract. Nothing was changed.',
    fix: 'Ask the partner to correct the fields listed here. Repeating the request unchanged gives the same response.',
    remedy: 'partner',
  },
  booking_unavailable: {
    means: 'The booking could not be created or changed as requested.',
    fix: 'Ask the partner to read the availability again and offer an available slot.',
    remedy: 'partner',
  },
  not_found: {
    means:
      'The record or the route does not exist, or the record belongs to another application. The response does not reveal which of these applies.',
    fix: 'Check the ID and the path. The record must belong to this environment, and its service, location, or specialist must be published and allowed by the application’s policy.',
    remedy: 'partner',
  },
  idempotency_key_reused: {
    means: 'The idempotency key was used before with a different request. Nothing was changed.',
    fix: 'Ask the partner to use a new idempotency key for each new operation, and to reuse an idempotency key only to repeat the identical request.',
    remedy: 'partner',
  },
  booking_version_conflict: {
    means: 'The booking has changed since the partner last read it: expected_version is not the current version.',
    fix: 'Ask the partner to read the booking again and repeat the change with the booking’s current version.',
    remedy: 'partner',
  },
  endpoint_unavailable: {
    means: 'The partner requested a test event, but the partner’s webhook endpoint cannot receive test events.',
    fix: 'Create or resume the endpoint on the application’s Webhook page.',
    remedy: 'application',
  },
  rate_limited: {
    means:
      'The application sent more requests than its quota allows, or all applications together sent more than the operator’s limit for the business.',
    fix: 'Ask the partner to wait for the number of seconds in Retry-After and to spread out its requests. If the traffic is expected, raise the rate limit in the policy, or ask the operator for a higher limit.',
    remedy: 'policy',
  },
  service_unavailable: {
    means: 'The server could not respond in time. A write was either committed completely or not at all.',
    fix: 'Ask the partner to repeat the identical request with the same idempotency key and exponential backoff. If the error persists, search the server log for this request ID.',
    remedy: 'operator',
  },
  sign_in_required: {
    means: 'No user was signed in to the Control Center.',
    fix: 'Sign in and try again.',
    remedy: 'none',
  },
  forbidden: {
    means: 'The user’s role does not allow this.',
    fix: 'Ask an owner to do this or to change the user’s role.',
    remedy: 'none',
  },
  attempt_under_way: {
    means: 'An attempt of the delivery is in progress.',
    fix: 'Wait until the attempt ends (at most 30 seconds), then replay the delivery if needed.',
    remedy: 'application',
  },
  replay_running: {
    means: 'Deliveries from an earlier replay for this endpoint are still waiting.',
    fix: 'Wait until that replay ends, or stop it.',
    remedy: 'application',
  },
  export_running: {
    means: 'An earlier export by the same member is still running.',
    fix: 'Wait until that export ends, or cancel it. If it stopped unexpectedly, it counts as running until five minutes after its start.',
    remedy: 'none',
  },
  erasure_running: {
    means: 'An erasure of a customer that an owner of the business requested is not done yet.',
    fix: 'Wait until the Privacy page says that it is done, then request the next one.',
    remedy: 'none',
  },
  endpoint_not_active: {
    means: 'The webhook endpoint is paused or disabled, or its application is suspended.',
    fix: 'Resume or re-enable the endpoint. If its application is suspended, resume the application. Held deliveries are then sent automatically.',
    remedy: 'application',
  },
  too_many_secrets: {
    means: 'The endpoint already has five valid signing secrets.',
    fix: 'Deactivate a secret, wait until a secret expires, or rotate without an overlap.',
    remedy: 'application',
  },
  too_many_views: {
    means: 'The member already has 20 saved views for the page.',
    fix: 'Delete a view, then save the new view.',
    remedy: 'none',
  },
  version_conflict: {
    means: 'Someone else has changed the same record in the Control Center.',
    fix: 'Reload the record, review the other change, then make your change again.',
    remedy: 'none',
  },
  not_started: {
    means: 'A booking can be completed or marked as a no-show only after its start time.',
    fix: 'Wait for the start time, or cancel the booking.',
    remedy: 'none',
  },
  not_reopenable: {
    means: 'A completion or a no-show can be undone for 24 hours.',
    fix: 'Nothing can be changed any more. For a further visit, make a new booking.',
    remedy: 'none',
  },
  second_factor_required: {
    means: 'The business requires a second factor, and this member has none.',
    fix: 'Sign in, and set up an authenticator app or a passkey on the page that opens.',
    remedy: 'none',
  },
  account_has_second_factor: {
    means: 'The person joins a business in which another account with the same address has a second factor.',
    fix: 'Sign in to that account and remove the second factor, or ask an owner of the business to reset it under Team.',
    remedy: 'none',
  },
  password_change_required: {
    means: 'The operator issued the password with which the member signed in. It opens nothing until it is replaced.',
    fix: 'Set a new password on the page that opens after the sign-in.',
    remedy: 'none',
  },
  operator_required: {
    means: 'The account of the member can open other businesses too, so an owner of one business cannot change it.',
    fix: 'Ask the operator to run npm run password with --reset-second-factor for the member.',
    remedy: 'none',
  },
  confirmation_required: {
    means: 'The change is sensitive, and the member signed in, or confirmed the session, more than 30 minutes ago.',
    fix: 'Enter the password, and the second factor if there is one, in the dialog that opens.',
    remedy: 'none',
  },
  business_suspended: {
    means: 'The operator of the deployment has suspended the business. Its members can read data but not change it.',
    fix: 'Ask the operator to resume the business.',
    remedy: 'none',
  },
  limit_reached: {
    means: 'The operator of the deployment limits the number of records of this kind that the business may have.',
    fix: 'Ask the operator for a higher limit.',
    remedy: 'none',
  },
  last_owner: {
    means: 'The change would leave the Control Center without an owner.',
    fix: 'Make another member an owner first.',
    remedy: 'none',
  },
};

/** Causes that have the code and the reason of other causes, or the code of a refusal that lists fields. */
const CASES = {
  wrongMethod: {
    means: 'The path exists, but does not allow this method.',
    fix: 'Ask the partner to use a method that the response lists in its Allow header.',
    remedy: 'partner',
  },
  unreadableBody: {
    means:
      'The server could not read the request, so no fields are listed. The body is empty, incomplete, not valid JSON, nested too deeply, or larger than 16 KiB, or it has a field twice. If none of these is the case, the parameters in the URL are too long. Nothing was changed.',
    fix: 'Ask the partner for the message in the response. It states which of these is the cause, and for invalid JSON also the line and column. Repeating the request unchanged gives the same response.',
    remedy: 'partner',
  },
  unreadableQuery: {
    means:
      'The server could not read the parameters in the URL of the request, so no fields are listed. They are too long, or there are too many.',
    fix: 'Ask the partner for the message in the response, which states the limit, and to send fewer or shorter parameters.',
    remedy: 'partner',
  },
  notHttp: {
    means:
      'The server could not read the request, so it checked no key and lists no fields. The request was not valid HTTP, its headers were too large, it did not arrive completely, or it asked for a different protocol.',
    fix: 'Ask the partner for the message in the response. It states which of these is the cause. If the partner’s software sends correct requests, check the proxies between it and the server.',
    remedy: 'partner',
  },
  waitingTestEvents: {
    means:
      'Earlier test events still wait to be sent to the application’s endpoint. At most 10 can wait at a time. The quota was not exceeded.',
    fix: 'Ask the partner to wait for the number of seconds in Retry-After. If the test events still wait after that, check the deliveries on the application’s Webhook page.',
    remedy: 'application',
  },
  forced: {
    means:
      'Only in TEST: the partner asked for this error with a test value. The external reference begins with test: and states which response to send.',
    fix: 'No action is needed. Partners use such test values to see how their software handles errors. A request with an ordinary external reference is processed as usual.',
    remedy: 'none',
  },
} satisfies Record<string, Help>;

export type HelpCase = keyof typeof CASES;

type Refusal = { code: string; reason: string | null; case?: HelpCase | null };

/** `key` is that of the text in the catalog of the Requests page. */
export type KeyedHelp = Help & { key: string };

/**
 * Returns the help for a refusal: of its case, else of its reason, else of its code. Returns null for an unknown code,
 * which a different version of the server may have logged.
 */
export function helpFor({ code, reason, case: known = null }: Refusal): KeyedHelp | null {
  if (known !== null) return { key: `cases.${known}`, ...CASES[known] };
  if (reason !== null && isReason(reason)) {
    const { means, fix, remedy } = REASONS[reason];
    return { key: `reasons.${reason}`, means, fix, remedy };
  }
  return isCode(code) ? { key: `codes.${code}`, ...CODES[code] } : null;
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

function isReason(reason: string): reason is ErrorReason {
  return Object.hasOwn(REASONS, reason);
}
