import { API_ERRORS } from '../errors/api-errors';
import { type Html, html } from './html';
import { headingsOf, plainText } from './markdown';

/** One section of a page that a search can find. */
type Section = { url: string; page: string; heading: string; text: string };

/** What a search found, best first. */
export type Found = { url: string; page: string; heading: string; excerpt: string };

const MOST = 20;
const EXCERPT = 160;

/** Words that readers have for what the texts call otherwise. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  daylight: ['two odd days', 'clocks go'],
  saving: ['two odd days', 'clocks go'],
  savings: ['two odd days', 'clocks go'],
  dst: ['two odd days', 'clocks go'],
  timezone: ['time zone'],
  loopback: ['laptop'],
  pagination: ['paging', 'cursor'],
  throttling: ['rate limit'],
  hmac: ['signature'],
  sandbox: ['test and live'],
};

/** More than any words in a section are worth: a code or reason leads to the page that explains it. */
const EXPLAINS = 1000;

/** The pages that explain a code or a reason, by that word. */
const EXPLAINED = new Map<string, string>(
  Object.entries(API_ERRORS).flatMap(([code, { reasons }]) =>
    [code, ...reasons].map((word) => [word, `/docs/errors/${code}`]),
  ),
);

/** Returns the sections of a page: what stands below each of its headings. */
export function sectionsOf(path: string, title: string, body: Html): Section[] {
  const headings = headingsOf(body);
  const parts = body.text.split(/<h[1-3] id="[^"]*">.*?<\/h[1-3]>/);
  return headings.map(({ id, text, depth }, i) => ({
    url: depth === 1 ? path : `${path}#${id}`,
    page: title,
    heading: text,
    text: plainText(parts[i + 1] ?? ''),
  }));
}

function scoreOf({ url, page, heading, text }: Section, words: readonly string[]): number {
  const [pageText = '', headingText = '', bodyText = ''] = [page, heading, text].map((one) => one.toLowerCase());
  const worth = (word: string) =>
    (headingText.includes(word) ? 8 : 0) + (pageText.includes(word) ? 4 : 0) + (bodyText.includes(word) ? 1 : 0);
  let score = 0;
  for (const word of words) {
    const here = Math.max(...[word, ...(SYNONYMS[word] ?? [])].map(worth));
    // Every word has to be somewhere, itself or in the words of the texts.
    if (here === 0) return 0;
    score += here + (url.split('#')[0] === EXPLAINED.get(word) ? EXPLAINS : 0);
  }
  return score;
}

function excerptOf(text: string, word: string): string {
  const lower = text.toLowerCase();
  const there = [word, ...(SYNONYMS[word] ?? [])].find((one) => lower.includes(one)) ?? word;
  const at = Math.max(0, lower.indexOf(there) - EXCERPT / 3);
  const piece = text.slice(at, at + EXCERPT);
  return `${at > 0 ? '… ' : ''}${piece.trim()}${at + EXCERPT < text.length ? ' …' : ''}`;
}

/** Returns the sections that hold every word of a query, headings first. */
export function search(sections: readonly Section[], query: string): Found[] {
  const words = query.toLowerCase().slice(0, 100).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ section: { url, page, heading, text } }) => ({
      url,
      page,
      heading,
      excerpt: excerptOf(text, words[0] ?? ''),
    }));
}

/** Returns the page of results. */
export function searchPage(query: string, found: readonly Found[]): Html {
  const items = found.map(
    ({ url, page, heading, excerpt }) =>
      html`<li><a href="${url}">${heading === page ? page : `${page}: ${heading}`}</a><p>${excerpt}</p></li>`,
  );
  if (!query.trim()) return html`<h1 id="search">Search</h1>`;
  const none = html`<p>Nothing holds all of these words. Try fewer, or a code such as <code>slot_taken</code>.</p>`;
  return html`<h1 id="search">Search</h1>
<p class="lead">${found.length} ${found.length === 1 ? 'section' : 'sections'} found.</p>
${found.length > 0 ? html`<ul class="found">${items}</ul>` : none}`;
}
