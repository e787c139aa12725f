import type { IncomingHttpHeaders } from 'node:http';
import { cookieName } from '@/lib/access/owners/cookies';
import { ROOT_PATHS } from '@/lib/contract/docs/root-paths';
import { AppError } from '@/lib/contract/errors/app-error';

/** Paths that answer programs themselves, or that a person opens by a link. `/__nextjs` exists only in development. */
const ANSWERED = /^\/(?:(?:docs|api|_next|sign-in|join|invite|password|email|setup|unsubscribe)(?![^/])|__nextjs)/;

/** What answers under `/api`, beside the partner API. */
export const API_FOLDERS = [
  'auth',
  'bench',
  'calendar',
  'control-center',
  'email',
  'health',
  'inngest',
  'invite',
  'metrics',
  'password',
  'second-step',
  'setup',
  'trpc',
  'unsubscribe',
];
const API = new RegExp(`^/api(?:/(?!(?:${API_FOLDERS.join('|')})(?:/|$))|$)`);

/** Returns whether nothing under `/api` answers a path, as with a wrong version of the base path. */
export function isUnknownApi(path: string): boolean {
  return API.test(path);
}

/**
 * Returns whether a request comes from a program with a wrong base path. Such a request must not be led to the sign-in
 * page: a program that follows the redirect would take that page for an answer (contract B2).
 */
export function isProgramAstray(path: string, headers: IncomingHttpHeaders): boolean {
  return !ANSWERED.test(path) && !ROOT_PATHS.has(path) && isProgram(headers);
}

function isProgram({ authorization, accept = '', cookie = '', rsc }: IncomingHttpHeaders): boolean {
  if (cookie.includes(`${cookieName('session')}=`)) return false;
  if (accept.includes('text/html')) {
    // A proxy in front of a staging system can require a password, which browsers then send with each request.
    return authorization !== undefined && !/^basic /i.test(authorization);
  }
  // The script of a page loads further pages with this header, and without `text/html`.
  return rsc === undefined;
}

/** Returns the 404 of a path outside the API. Its message names the base path. */
export function wrongBase(): AppError {
  return new AppError('not_found', { reason: 'unknown_route' });
}
