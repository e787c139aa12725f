import { API_ERRORS, type ApiErrorCode } from '../errors/api-errors';
import { BASE_PATH, OPERATIONS } from '../operations';
import { CONTRACT_PATH } from '../sections';
import { content, contentText } from './content';
import type { Deployment } from './deployment';
import { errorPage, errorsPage } from './errors';
import type { Html } from './html';
import { eventsPage, operationPage, referencePage } from './reference';

/** A page of the documentation. `body` starts with the h1 heading. `description` is a sentence for search engines. */
export type Page = {
  path: string;
  title: string;
  group: string;
  description: string;
  body: (deployment: Deployment) => Html;
  /** Returns the Markdown of the page. Not set for a generated page. */
  source?: (deployment: Deployment) => string;
};

const written = (file: string): Pick<Page, 'body' | 'source'> => ({
  body: (deployment) => content(file, deployment),
  source: (deployment) => contentText(file, deployment),
});

const GUIDES: readonly [string, string, string][] = [
  [
    'clients',
    'Clients',
    'A client, the retry loop, and webhook verification in TypeScript, Python, PHP, Go, Java, and C#, with the standard library only.',
  ],
  [
    'idempotency',
    'Idempotency and retries',
    'How to repeat a write safely: the Idempotency-Key header, the effect of a repeated idempotency key, and which responses to retry.',
  ],
  [
    'lost-writes',
    'A write whose response was lost',
    'How to find out whether a booking was made when the response is lost, with and without the idempotency key.',
  ],
  [
    'versions',
    'Versions',
    'How versions prevent conflicting changes to a booking, which statuses a booking can have, and what may change in the API within v1.',
  ],
  [
    'time-zones',
    'Time zones and daylight saving',
    'Local and absolute times, and the days on which daylight saving skips or repeats an hour.',
  ],
  [
    'prices',
    'Prices',
    'Amounts in minor units, the currencies and their decimals in ISO 4217, and the price that a booking keeps.',
  ],
  [
    'reconciliation',
    'Reconcile your database',
    'How to rebuild a database from the API, follow changes without webhooks, and prove that both sides agree.',
  ],
  ['no-slots', 'Why is there no slot?', 'How to find out why a day has no slots, and why a booking would be refused.'],
  ['paging', 'Pagination', 'How to read lists page by page, when a cursor is valid, and which responses to cache.'],
  [
    'rate-limits',
    'Rate limits',
    'How many requests an application may send, the rate-limit headers, and how to stay below the limit.',
  ],
  [
    'fewer-reads',
    'Fewer reads',
    'How to read the free days of a month with one request, and how to read again only what changed.',
  ],
  [
    'webhooks',
    'Webhooks',
    'Events for every change to a booking: how to verify, receive, and order events, and how failed deliveries are retried.',
  ],
  [
    'testing',
    'Testing',
    'How to force a 503, a 429, a taken slot, a lost or slow response, and every webhook event in TEST.',
  ],
  [
    'agents',
    'Agents',
    'An MCP server with which an agent finds services and books, repeats writes safely, and asks a person before each write.',
  ],
  ['environments', 'TEST and LIVE', 'How TEST and LIVE differ, and how to keep their keys and data separate.'],
  [
    'going-live',
    'Going live',
    'What to check before you request a LIVE key: keys, writes, times, changes, webhooks, operation.',
  ],
  [
    'own-systems',
    'Own systems',
    'For machines of the business, such as a till: how to push times that they sell, so that partners cannot book them.',
  ],
  [
    'questions',
    'Questions',
    'Short answers: who tells the customer, double bookings, holds, refunds, SDKs, polling, languages, GDPR, source addresses, keep-alive.',
  ],
  ['support', 'Support', 'What to include in a support request, and what never to send.'],
];

/** Every page, in the order of the navigation. */
export const PAGES: readonly Page[] = [
  {
    path: '/docs',
    title: 'Overview',
    group: 'Start',
    description:
      "Read a business's catalog and free slots, and create, read, reschedule, and cancel bookings from your server.",
    ...written('partner/index'),
  },
  {
    path: '/docs/quickstart',
    title: 'Quickstart',
    group: 'Start',
    description:
      'Start with a key. Make and safely repeat a first booking with curl, write a client in your language, and verify a webhook.',
    ...written('partner/quickstart'),
  },
  ...GUIDES.map(([name, title, description]) => ({
    path: `/docs/guides/${name}`,
    title,
    group: 'Guides',
    description,
    ...written(`partner/guides/${name}`),
  })),
  {
    path: '/docs/reference',
    title: 'All operations',
    group: 'Reference',
    description:
      'Every operation of the Partner Booking API with its route and scope, and the headers of every response.',
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
    description: 'The events that webhooks deliver when a booking changes, with every field and an example.',
    body: eventsPage,
  },
  {
    path: '/docs/guides/rules',
    title: 'The contract in short',
    group: 'Reference',
    description:
      'The rules that every integration meets, on one page: requests, responses, writes, limits, webhooks, errors.',
    ...written('partner/guides/rules'),
  },
  {
    path: CONTRACT_PATH,
    title: 'Contract',
    group: 'Reference',
    description:
      'The complete rules of the Partner Booking API v1: checks, errors, availability, bookings, idempotency, webhooks.',
    ...written('contract'),
  },
  {
    path: '/docs/changelog',
    title: 'Changelog',
    group: 'Reference',
    description: 'What was added to the Partner Booking API and its documentation, by date, newest first.',
    ...written('partner/changelog'),
  },
  {
    path: '/docs/errors',
    title: 'All errors',
    group: 'Errors',
    description: 'Every error code of the Partner Booking API, with its status, its cause, and what to do.',
    body: errorsPage,
  },
  ...(Object.keys(API_ERRORS) as ApiErrorCode[]).map((code) => ({
    path: `/docs/errors/${code}`,
    title: code,
    group: 'Errors',
    description: `${code}, status ${API_ERRORS[code].status}: ${API_ERRORS[code].message} ${API_ERRORS[code].advice}`,
    body: (deployment: Deployment) => errorPage(code, deployment),
  })),
];
