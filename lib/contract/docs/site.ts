import type { Deployment } from './deployment';
import { html } from './html';
import { layout } from './layout';
import { PAGES } from './pages';
import { type Found, search, searchPage, sectionsOf } from './search';

type Rendered = { status: number; text: string };

/** Returns the documentation site of a deployment. Each page is rendered once. */
export function docsSite(deployment: Deployment) {
  const rendered = new Map<string, string>();
  let sections: ReturnType<typeof sectionsOf> | null = null;

  /** Returns the page at a path, or a 404 page if there is none. */
  const page = (path: string): Rendered => {
    const cached = rendered.get(path);
    if (cached !== undefined) return { status: 200, text: cached };
    const found = PAGES.find((one) => one.path === path);
    if (!found) return missing(deployment);
    const { title, description } = found;
    const text = layout({ path, title, description, body: found.body(deployment), links: PAGES }, deployment);
    rendered.set(path, text);
    return { status: 200, text };
  };

  const find = (query: string): Found[] => {
    sections ??= PAGES.flatMap(({ path, title, body }) => sectionsOf(path, title, body(deployment)));
    return search(sections, query);
  };

  const results = (query: string): Rendered => {
    const body = searchPage(query, find(query));
    return {
      status: 200,
      text: layout({ path: '/docs/search', title: 'Search', body, links: PAGES }, deployment, query),
    };
  };

  return { page, find, results };
}

function missing(deployment: Deployment): Rendered {
  const body = html`<h1 id="missing">Page not found</h1><p>Try the <a href="/docs">overview</a> or the search.</p>`;
  return { status: 404, text: layout({ path: '', title: 'Not found', body, links: PAGES }, deployment) };
}
