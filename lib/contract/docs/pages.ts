import { API_ERRORS, type ApiErrorCode } from '../errors/api-errors';
import { BASE_PATH, OPERATIONS } from '../operations';
import { content } from './content';
import type { Deployment } from './deployment';
import { errorPage, errorsPage } from './errors';
import type { Html } from './html';
import { eventsPage, operationPage, referencePage } from './reference';

/** One page of the documentation; `body` is its HTML from the first heading on, `description` a sentence for search engines. */
export type Page = {
  path: string;
  title: string;
  group: string;
  description: string;
  body: (deployment: Deployment) => Html;
};

const GUIDES: readonly [string, string, string][] = [
  [
    'idempotency',
    'Idempotency and retries',
    'How to repeat a write safely: the Idempotency-Key, what a repeated key does, and which answers to retry.',
  ],
  [
    'versions',
    'Versions',
    'How versions keep two changes of one booking apart, which states a booking has, and what may change within v1.',
  ],
  [
    'time-zones',
    'Time zones, the two odd days',
    'Local and absolute times, daylight saving, and the two days of the year that are an hour shorter or longer.',
  ],
  ['paging', 'Paging', 'How lists come in pages, what a cursor is worth, and what to keep in memory.'],
  [
    'rate-limits',
    'Rate limits',
    'How many requests an application may send, the headers that say where you stand, and how to pace yourself.',
  ],
  [
    'webhooks',
    'Webhooks',
    'Events for every change of a booking: how to verify, receive and order them, and what happens when you do not answer.',
  ],
  [
    'environments',
    'TEST and LIVE',
    'What TEST and LIVE share and what they do not, and how to keep their keys and data apart.',
  ],
  [
    'going-live',
    'Going live',
    'The checklist before you ask the owner for a LIVE key: keys, writes, times, changes, webhooks, operation.',
  ],
  ['support', 'Support', 'What to send support so that a request can be found, and what never to send.'],
];

/** Every page, in the order in which one would read them. */
export const PAGES: readonly Page[] = [
  {
    path: '/docs',
    title: 'Overview',
    group: 'Start',
    description:
      'Read the catalog and free slots of a business, and create, read, reschedule and cancel bookings from your server.',
    body: (deployment) => content('index', deployment),
  },
  {
    path: '/docs/quickstart',
    title: 'Quickstart',
    group: 'Start',
    description: 'From a key to a first booking, a safe retry and a verified webhook, in shell and TypeScript.',
    body: (deployment) => content('quickstart', deployment),
  },
  ...GUIDES.map(([name, title, description]) => ({
    path: `/docs/guides/${name}`,
    title,
    group: 'Guides',
    description,
    body: (deployment: Deployment) => content(`guides/${name}`, deployment),
  })),
  {
    path: '/docs/reference',
    title: 'All operations',
    group: 'Reference',
    description:
      'Every operation of the Partner Booking API with its route and scope, and the headers of every answer.',
    body: referencePage,
  },
  ...OPERATIONS.map((operation) => ({
    path: `/docs/reference/${operation.id}`,
    title: operation.summary,
    group: 'Reference',
    description: `${operation.method} ${BASE_PATH}${operation.path}: ${operation.description.replaceAll('`', '')}`,
    body: (deployment: Deployment) => operationPage(operation, deployment),
  })),
  {
    path: '/docs/reference/events',
    title: 'Events',
    group: 'Reference',
    description: 'The events that webhooks carry when a booking changes, with every field and an example.',
    body: eventsPage,
  },
  {
    path: '/docs/errors',
    title: 'All errors',
    group: 'Errors',
    description: 'Every error code of the Partner Booking API: its status, what happened and what to do.',
    body: errorsPage,
  },
  ...(Object.keys(API_ERRORS) as ApiErrorCode[]).map((code) => ({
    path: `/docs/errors/${code}`,
    title: code,
    group: 'Errors',
    description: `${code}, status ${API_ERRORS[code].status}: ${API_ERRORS[code].message} ${API_ERRORS[code].remedy}`,
    body: (deployment: Deployment) => errorPage(code, deployment),
  })),
];
