import { API_ERRORS } from './api-errors';

const CONTROL_CENTER_ERROR_CODES = {
  sign_in_required: { status: 401, message: 'Sign in to continue.' },
  forbidden: { status: 403, message: 'Your role does not allow this.' },
  operator_required: {
    status: 403,
    message: 'This member’s account can open more than your business. Ask the operator to reset its sign-in.',
  },
  second_factor_required: {
    status: 403,
    message: 'Your business requires a second factor. Reload the page to set up a second factor.',
  },
  account_has_second_factor: {
    status: 409,
    message:
      'The account there has a second factor. Sign in to it and remove the second factor, or ask an owner of the business to reset it. Then join.',
  },
  password_change_required: {
    status: 403,
    message: 'Your password was issued by the operator. Reload the page, and set a new password.',
  },
  confirmation_required: { status: 403, message: 'Confirm that it is you to make this change.' },
  business_suspended: {
    status: 403,
    message: 'The operator has suspended this business. Nothing can be changed until the operator resumes it.',
  },
  version_conflict: { status: 409, message: 'Someone else has changed this record.' },
  endpoint_not_active: {
    status: 409,
    message: 'The endpoint is not active. Resume or re-enable the endpoint, or resume its application.',
  },
  attempt_under_way: { status: 409, message: 'An attempt is in progress. Wait until the attempt ends.' },
  replay_running: { status: 409, message: 'A replay is already running. Wait for it to finish, or stop it.' },
  export_running: { status: 409, message: 'Your previous export is still running. Wait until the export ends.' },
  erasure_running: { status: 409, message: 'An erasure is already running. Wait until it is done.' },
  too_many_secrets: {
    status: 409,
    message: 'Five secrets are already valid. Deactivate a secret, or wait until a secret expires.',
  },
  too_many_views: { status: 409, message: 'You already have 20 saved views for this page. Delete a view first.' },
  not_started: { status: 409, message: 'The booking has not started yet. Wait for its start time.' },
  not_reopenable: {
    status: 409,
    message: 'Only a booking that was completed or marked as a no-show in the last 24 hours can be reopened.',
  },
  limit_reached: {
    status: 409,
    message: 'This would exceed the operator’s limit for records of this kind. Ask the operator for a higher limit.',
  },
  last_owner: { status: 409, message: 'At least one owner is required. Make another member an owner first.' },
} as const;

/** Every error code, for REST and tRPC. */
export const ERROR_CODES = { ...API_ERRORS, ...CONTROL_CENTER_ERROR_CODES };

export type ErrorCode = keyof typeof ERROR_CODES;
