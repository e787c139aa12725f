import { singleton } from '../singleton';
import { html } from './html';
import { layout } from './layout';
import { PAGES } from './pages';
import { type Found, search, searchPage, sectionsOf } from './search';

/** A rendered answer of the documentation. */
type Rendered = { status: number; text: string };

function sections() {
  return singleton('docs:sections', () => PAGES.flatMap(({ path, title, body }) => sectionsOf(path, title, body())));
}

function rendered(): Map<string, string> {
  return singleton('docs:pages', () => new Map<string, string>());
}

function missing(): Rendered {
  const body = html`<h1 id="missing">There is no such page</h1><p>Try the <a href="/docs">overview</a> or the search.</p>`;
  return { status: 404, text: layout({ path: '', title: 'Not found', body, links: PAGES }) };
}

/** Returns the page at a path of the documentation. Pages are rendered once: nothing in them changes while we run. */
export function docsPage(path: string): Rendered {
  const known = rendered().get(path);
  if (known !== undefined) return { status: 200, text: known };
  const page = PAGES.find((one) => one.path === path);
  if (!page) return missing();
  const text = layout({ path, title: page.title, description: page.description, body: page.body(), links: PAGES });
  rendered().set(path, text);
  return { status: 200, text };
}

/** Returns what a search finds. */
export function searchDocs(query: string): Found[] {
  return search(sections(), query);
}

/** Returns the page of a search. */
export function docsSearch(query: string): Rendered {
  const body = searchPage(query, searchDocs(query));
  return { status: 200, text: layout({ path: '/docs/search', title: 'Search', body, links: PAGES }, query) };
}
