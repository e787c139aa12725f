import { API_ERRORS, type ApiErrorReason } from './api-errors';

/** What only the Control Center answers. */
const CONTROL_CENTER_ERROR_CODES = {
  sign_in_required: { status: 401, message: 'Sign in to go on.' },
  forbidden: { status: 403, message: 'Your role does not allow this.' },
  version_conflict: { status: 409, message: 'Somebody else changed this meanwhile.' },
  endpoint_not_active: { status: 409, message: 'The endpoint is not active.' },
  attempt_under_way: { status: 409, message: 'An attempt is under way. Wait for how it ends.' },
  replay_running: { status: 409, message: 'A replay is running already. Wait for its end, or stop it.' },
  too_many_secrets: { status: 409, message: 'Five secrets sign already. End one of them, or wait until one ends.' },
  not_started: { status: 409, message: 'The appointment has not begun yet.' },
  last_owner: { status: 409, message: 'Somebody has to be an owner: make another member one first.' },
} as const;

/** Every error there is: REST and tRPC answer from one table. */
export const ERROR_CODES = { ...API_ERRORS, ...CONTROL_CENTER_ERROR_CODES };

/** A stable machine-readable word of the error table. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The reasons that a code may carry (contract B3). */
export type ErrorReason = ApiErrorReason;
