import { API_ERRORS, type ApiErrorCode } from '../errors/api-errors';
import { reasonsOf } from '../errors/reasons';
import { type Html, html } from './html';
import { headingsOf, plainText } from './markdown';
import { alternatives } from './search-words';

type Section = { url: string; page: string; heading: string; text: string };

export type Found = { url: string; page: string; heading: string; excerpt: string };

const MOST = 20;
const EXCERPT = 160;

/** If the query contains a code or reason, the page that explains it gets these extra points, which rank it first. */
const EXPLAINS = 1000;

const EXPLAINED = new Map<string, string>(
  (Object.keys(API_ERRORS) as ApiErrorCode[]).flatMap((code) =>
    [code, ...reasonsOf(code)].map((word) => [word, `/docs/errors/${code}`]),
  ),
);

/**
 * Matches code blocks and the labels of their tabs. They are not searched, because words in samples would hide the sections that explain
 * these words.
 */
const CODE = /<figure class="code">[\s\S]*?<\/figure>|<div role="radiogroup"[\s\S]*?<\/div>/g;

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

type Lowercase = { page: string; heading: string; text: string };

const lowercase = new WeakMap<Section, Lowercase>();

/** Returns the texts of a section in lowercase. They are the same for each query. */
function lowercaseOf(section: Section): Lowercase {
  const known = lowercase.get(section);
  if (known) return known;
  const [page = '', heading = '', text = ''] = [section.page, section.heading, section.text].map((one) =>
    one.toLowerCase(),
  );
  const made = { page, heading, text };
  lowercase.set(section, made);
  return made;
}

/** Points for a synonym or a corrected word, as a share of those for the word itself. */
const OTHER_WORD = 0.7;

function scoreOfWord(section: Section, word: string): number {
  const { page, heading, text } = lowercaseOf(section);
  const own = (heading.includes(word) ? 8 : 0) + (page.includes(word) ? 4 : 0) + (text.includes(word) ? 1 : 0);
  return own > 0 && section.url.split('#')[0] === EXPLAINED.get(word) ? own + EXPLAINS : own;
}

/** Returns the points of a section for each word of the query. 0: the section has neither the word nor another for it. */
function scoresOf(section: Section, words: readonly (readonly string[])[]): number[] {
  return words.map((choices) =>
    Math.max(...choices.map((choice, i) => scoreOfWord(section, choice) * (i === 0 ? 1 : OTHER_WORD))),
  );
}

function vocabularyOf(sections: readonly Section[]): ReadonlySet<string> {
  const texts = sections.flatMap((section) => Object.values(lowercaseOf(section)));
  return new Set(texts.flatMap((text) => text.match(/[a-z0-9_]{3,}/g) ?? []));
}

const vocabularies = new WeakMap<readonly Section[], ReadonlySet<string>>();

/** Returns the text around a word. The excerpt starts and ends at word boundaries. */
function excerptOf(text: string, word: string): string {
  const found = Math.max(0, text.toLowerCase().indexOf(word) - EXCERPT / 3);
  const from = found === 0 ? 0 : text.indexOf(' ', found) + 1;
  if (from + EXCERPT >= text.length) return `${from > 0 ? '… ' : ''}${text.slice(from)}`;
  const space = text.lastIndexOf(' ', from + EXCERPT);
  const to = space > from ? space : from + EXCERPT;
  return `${from > 0 ? '… ' : ''}${text.slice(from, to)} …`;
}

const MAX_WORDS = 8;

/**
 * Returns the sections that contain every word of a query, a synonym of it, or if it is in no section, a word that
 * differs by a typo. If no section contains all words, returns those with the most. The best match comes first.
 */
export function search(sections: readonly Section[], query: string): Found[] {
  const typed = query
    .toLowerCase()
    .slice(0, 100)
    .split(/[\s?!,;"]+/)
    .filter(Boolean)
    .slice(0, MAX_WORDS);
  if (typed.length === 0) return [];
  const vocabulary = vocabularies.get(sections) ?? vocabularyOf(sections);
  vocabularies.set(sections, vocabulary);
  const words = typed.map((word) => alternatives(word, vocabulary));
  const rated = sections.map((section) => {
    const scores = scoresOf(section, words);
    return { section, matched: scores.filter(Boolean).length, score: scores.reduce((sum, one) => sum + one, 0) };
  });
  const most = Math.max(...rated.map(({ matched }) => matched));
  return rated
    .filter(({ matched }) => matched > 0 && matched === most)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST)
    .map(({ section: { url, page, heading, text } }) => {
      const shown = words.flat().find((word) => text.toLowerCase().includes(word));
      return { url, page, heading, excerpt: excerptOf(text, shown ?? '') };
    });
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
