import { API_ERRORS, type ApiErrorCode } from '../contract/errors';
import { OPERATIONS } from '../contract/operations';
import { content } from './content';
import { errorPage, errorsPage } from './errors';
import type { Html } from './html';
import { eventsPage, operationPage, referencePage } from './reference';

/** One page of the documentation; `body` is its HTML from the first heading on. */
export type Page = { path: string; title: string; group: string; body: () => Html };

const GUIDES: readonly [string, string][] = [
  ['idempotency', 'Idempotency and retries'],
  ['versions', 'Versions'],
  ['time-zones', 'Time zones, the two odd days'],
  ['paging', 'Paging'],
  ['rate-limits', 'Rate limits'],
  ['webhooks', 'Webhooks'],
  ['environments', 'TEST and LIVE'],
  ['going-live', 'Going live'],
  ['support', 'Support'],
];

/** Every page, in the order in which one would read them. */
export const PAGES: readonly Page[] = [
  { path: '/docs', title: 'Overview', group: 'Start', body: () => content('index') },
  { path: '/docs/quickstart', title: 'Quickstart', group: 'Start', body: () => content('quickstart') },
  ...GUIDES.map(([name, title]) => ({
    path: `/docs/guides/${name}`,
    title,
    group: 'Guides',
    body: () => content(`guides/${name}`),
  })),
  { path: '/docs/reference', title: 'All operations', group: 'Reference', body: referencePage },
  ...OPERATIONS.map((operation) => ({
    path: `/docs/reference/${operation.id}`,
    title: operation.summary,
    group: 'Reference',
    body: () => operationPage(operation),
  })),
  { path: '/docs/reference/events', title: 'Events', group: 'Reference', body: eventsPage },
  { path: '/docs/errors', title: 'All errors', group: 'Errors', body: errorsPage },
  ...(Object.keys(API_ERRORS) as ApiErrorCode[]).map((code) => ({
    path: `/docs/errors/${code}`,
    title: code,
    group: 'Errors',
    body: () => errorPage(code),
  })),
];
