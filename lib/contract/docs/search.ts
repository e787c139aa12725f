import { API_ERRORS, type ApiErrorCode } from '../errors/api-errors';
import { reasonsOf } from '../errors/reasons';
import { type Html, html } from './html';
import { headingsOf, plainText } from './markdown';

/** A searchable section of a page. */
type Section = { url: string; page: string; heading: string; text: string };

export type Found = { url: string; page: string; heading: string; excerpt: string };

const MOST = 20;
const EXCERPT = 160;

/** If the query contains a code or reason, the page that explains it gets these extra points, which rank it first. */
const EXPLAINS = 1000;

/** Maps each error code and each reason to the path of the documentation page that explains it. */
const EXPLAINED = new Map<string, string>(
  (Object.keys(API_ERRORS) as ApiErrorCode[]).flatMap((code) =>
    [code, ...reasonsOf(code)].map((word) => [word, `/docs/errors/${code}`]),
  ),
);

/**
 * Matches code blocks. Code blocks are not searched, because words in samples would hide the sections that explain
 * these words.
 */
const CODE = /<figure class="code">[\s\S]*?<\/figure>/g;

/** Splits a page into sections, one per heading. */
export function sectionsOf(path: string, title: string, body: Html): Section[] {
  const headings = headingsOf(body);
  const parts = body.text.replaceAll(CODE, '').split(/<h[1-3] id="[^"]*">.*?<\/h[1-3]>/);
  return headings.map(({ id, text, depth }, i) => ({
    url: depth === 1 ? path : `${path}#${id}`,
    page: title,
    heading: text,
    text: plainText(parts[i + 1] ?? ''),
  }));
}

function scoreOf({ url, page, heading, text }: Section, words: readonly string[]): number {
  const [pageText = '', headingText = '', bodyText = ''] = [page, heading, text].map((one) => one.toLowerCase());
  const scoreOfWord = (word: string) =>
    (headingText.includes(word) ? 8 : 0) + (pageText.includes(word) ? 4 : 0) + (bodyText.includes(word) ? 1 : 0);
  let score = 0;
  for (const word of words) {
    const own = scoreOfWord(word);
    // A section must contain all of the query's words.
    if (own === 0) return 0;
    score += own + (url.split('#')[0] === EXPLAINED.get(word) ? EXPLAINS : 0);
  }
  return score;
}

/** Returns the text around a word. The excerpt starts and ends at word boundaries. */
function excerptOf(text: string, word: string): string {
  const found = Math.max(0, text.toLowerCase().indexOf(word) - EXCERPT / 3);
  const from = found === 0 ? 0 : text.indexOf(' ', found) + 1;
  if (from + EXCERPT >= text.length) return `${from > 0 ? '… ' : ''}${text.slice(from)}`;
  const space = text.lastIndexOf(' ', from + EXCERPT);
  const to = space > from ? space : from + EXCERPT;
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)} …`;
}

/** Returns the sections that contain every word of a query, the best match first. */
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

/** Returns the page of search results. */
export function searchPage(query: string, found: readonly Found[]): Html {
  const items = found.map(
    ({ url, page, heading, excerpt }) =>
      html`<li><a href="${url}">${heading === page ? page : `${page}: ${heading}`}</a><p>${excerpt}</p></li>`,
  );
  if (!query.trim()) return html`<h1 id="search">Search</h1>`;
  const none = html`<p>No section contains all of these words. Try fewer words, or a code such as <code>slot_taken</code>.</p>`;
  return html`<h1 id="search">Search</h1>
<p class="lead">${found.length} ${found.length === 1 ? 'section' : 'sections'} found.</p>
${found.length > 0 ? html`<ul class="found">${items}</ul>` : none}`;
}
