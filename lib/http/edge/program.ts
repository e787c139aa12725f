import type { IncomingHttpHeaders } from 'node:http';
import { cookieName } from '@/lib/access/owners/cookies';
import { ROOT_PATHS } from '@/lib/contract/docs/root-paths';
import { AppError } from '@/lib/contract/errors/app-error';
import { BASE_PATH } from '@/lib/contract/operations';

/** Paths that answer programs themselves, or that a person opens by a link. `/__nextjs` exists only in development. */
const ANSWERED = /^\/(?:(?:docs|api|_next|sign-in|join|invite|password|email|setup|unsubscribe)(?![^/])|__nextjs)/;

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
  return new AppError('not_found', { message: `No such path. The base path of the API is ${BASE_PATH}.` });
}
