import MiniSearch, { type Query, type SearchOptions } from 'minisearch';
import { API_ERRORS, type ApiErrorCode } from '../errors/api-errors';
import { reasonsOf } from '../errors/reasons';
import { type Html, html } from './html';

type Section = { url: string; page: string; heading: string; text: string };

export type Found = { url: string; page: string; heading: string; excerpt: string };

/** Characters and words of a query. The rest is not searched: each word costs up to a few milliseconds. */
const MAX_QUERY = 100;
const MAX_WORDS = 8;

const MOST = 20;
const EXCERPT = 160;

/** If the query contains a code or reason, the page that explains it gets its points so many times, and ranks first. */
const EXPLAINS = 1000;

/** The same for the page of a code, whose title has words of guides, such as `rate` and `limited`, in other queries. */
const CODE = 0.5;

const EXPLAINED = new Map<string, string>(
  (Object.keys(API_ERRORS) as ApiErrorCode[]).flatMap((code) =>
    [code, ...reasonsOf(code)].map((word) => [word, `/docs/errors/${code}`]),
  ),
);

/** Words that readers type, with those of the pages that mean the same. All words of a synonym must be in a section. */
const SYNONYMS = new Map<string, readonly string[]>(
  Object.entries({
    agent: ['mcp'],
    ai: ['agent'],
    appointment: ['booking', 'slot'],
    auth: ['authorization', 'api key'],
    authentication: ['authorization', 'api key'],
    backoff: ['jitter'],
    calendar: ['availability'],
    cancellation: ['cancel'],
    csharp: ['client'],
    curl: ['quickstart'],
    deposit: ['refund'],
    dst: ['daylight'],
    email: ['customer'],
    firewall: ['addresses'],
    hold: ['reserve'],
    hook: ['webhook'],
    java: ['client'],
    language: ['locale'],
    library: ['client', 'sdk'],
    llm: ['agent'],
    mcp: ['agents'],
    merchant: ['business'],
    move: ['reschedule'],
    npm: ['client'],
    nuget: ['client'],
    overbooking: ['double booking'],
    package: ['client'],
    payment: ['refund', 'price'],
    poll: ['polling'],
    privacy: ['gdpr', 'customer data'],
    quota: ['rate limit'],
    reminder: ['upcoming'],
    repeat: ['retry', 'idempotency'],
    reservation: ['booking'],
    retry: ['retries'],
    sms: ['customer'],
    staff: ['specialist'],
    throttling: ['rate limit'],
    timeslot: ['slot'],
    token: ['api key'],
  }),
);

/** A code, such as `slot_taken`, is one word. */
const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Returns a word without the `s` of a plural. */
const singular = (word: string) => (word.includes('_') ? word : word.replace(/(?<=\w\w)s$/, ''));

/** Returns how many characters of a word may be wrong. Short words have too many neighbors. */
export const tolerance = (word: string) => (word.length < 4 ? 0 : word.length < 5 ? 1 : 2);

/** The first attempt that finds a section counts: all words, all words with typos, as many words as possible. */
const ATTEMPTS: readonly SearchOptions[] = [
  { combineWith: 'AND', fuzzy: false },
  { combineWith: 'AND' },
  { combineWith: 'OR' },
];

/** Returns the query for a word or a synonym of it. The last word may be typed only in part. */
function queryOf(word: string, index: number, { length }: readonly string[]): Query {
  const synonyms = SYNONYMS.get(word) ?? SYNONYMS.get(singular(word)) ?? [];
  const others = synonyms.map((one): Query => ({ combineWith: 'AND', fuzzy: false, queries: [one] }));
  return { combineWith: 'OR', prefix: index === length - 1, queries: [word, ...others] };
}

/**
 * Returns a function that returns the sections with every word of a query or a synonym of it. If no section has all
 * words, it returns those with typos, and otherwise those with some of the words. The best match comes first.
 */
export function searchOf(sections: readonly Section[]): (query: string) => Found[] {
  const index = new MiniSearch<Section>({
    idField: 'url',
    fields: ['heading', 'page', 'text'],
    storeFields: ['url', 'page', 'heading', 'text'],
    tokenize: wordsOf,
    // A name is also found by its parts.
    processTerm: (word) => [word, ...(word.includes('_') ? word.split('_') : [])].map(singular),
    searchOptions: {
      processTerm: singular,
      fuzzy: tolerance,
      boost: { heading: 4, page: 2 },
      // A section counts once per word, so that a long one with many repetitions does not hide the one that explains it.
      bm25: { k: 0, b: 0, d: 0 },
    },
  });
  index.addAll(sections);
  return (query) => {
    const words = wordsOf(query.slice(0, MAX_QUERY)).slice(0, MAX_WORDS);
    const hasCode = words.some((word) => word.includes('_'));
    const boostDocument = (url: string, word: string) => {
      const [path = ''] = url.split('#');
      if (hasCode && EXPLAINED.get(word) === path) return EXPLAINS;
      return path.startsWith('/docs/errors/') ? CODE : 1;
    };
    for (const attempt of ATTEMPTS) {
      const found = index.search({ queries: words.map(queryOf) }, { ...attempt, boostDocument });
      if (found.length > 0)
        return found
          .slice(0, MOST)
          .map(({ url, page, heading, text, terms }) => ({ url, page, heading, excerpt: excerptOf(text, terms) }));
    }
    return [];
  };
}

/** Returns the text around the first of the words that it contains. It starts and ends at word boundaries. */
function excerptOf(text: string, words: readonly string[]): string {
  const lowercase = text.toLowerCase();
  const word = words.find((one) => lowercase.includes(one)) ?? '';
  const found = Math.max(0, lowercase.indexOf(word) - EXCERPT / 3);
  const from = found === 0 ? 0 : text.indexOf(' ', found) + 1;
  if (from + EXCERPT >= text.length) return `${from > 0 ? '… ' : ''}${text.slice(from)}`;
  const space = text.lastIndexOf(' ', from + EXCERPT);
  const to = space > from ? space : from + EXCERPT;
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)} …`;
}

/** Returns the page of search results. */
export function searchPage(query: string, found: readonly Found[]): Html {
  const items = found.map(
    ({ url, page, heading, excerpt }) =>
      html`<li><a href="${url}">${heading === page ? page : `${page}: ${heading}`}</a><p>${excerpt}</p></li>`,
  );
  if (!query.trim()) return html`<h1 id="search">Search</h1>`;
  const none = html`<p>No section contains any of these words. Try other words, or a code such as <code>slot_taken</code>.</p>`;
  return html`<h1 id="search">Search</h1>
<p class="lead">${found.length} ${found.length === 1 ? 'section' : 'sections'} found.</p>
${found.length > 0 ? html`<ul class="found">${items}</ul>` : none}`;
}
