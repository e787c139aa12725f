import { isNear } from '../errors/near-name';
import type { Deployment } from './deployment';
import { FILE_PATHS } from './files';
import { html } from './html';
import { layout } from './layout';
import { sectionsOf } from './markdown';
import { PAGES, type Page } from './pages';
import { type Found, searchOf, searchPage, tolerance } from './search';
import { twinOf } from './twin';

type Rendered = { status: number; text: string };

/** Returns the documentation site of a deployment. Each page is rendered once. */
export function docsSite(deployment: Deployment) {
  const rendered = new Map<string, string>();
  let search: ReturnType<typeof searchOf> | null = null;

  const page = (path: string): Rendered => {
    const cached = rendered.get(path);
    if (cached !== undefined) return { status: 200, text: cached };
    const found = PAGES.find((one) => one.path === path);
    if (!found) return missing(path, find(nameOf(path).replaceAll(/[^a-z0-9]+/g, ' ')), deployment);
    const { title, description } = found;
    const text = layout({ path, title, description, body: found.body(deployment), links: PAGES }, deployment);
    rendered.set(path, text);
    return { status: 200, text };
  };

  const find = (query: string): Found[] => {
    search ??= searchOf(PAGES.flatMap((page) => sectionsOfPage(page, deployment)));
    return search(query);
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

function sectionsOfPage(page: Page, deployment: Deployment) {
  return sectionsOf(twinOf(page, PAGES, deployment)).map(({ id, text, depth, body }) => ({
    url: depth === 1 ? page.path : `${page.path}#${id}`,
    page: page.title,
    heading: text,
    text: body.replaceAll(/\s+/g, ' ').trim(),
  }));
}

function missing(path: string, found: readonly Found[], deployment: Deployment): Rendered {
  const name = nameOf(path);
  const near = [...PAGES.map((page) => page.path), ...FILE_PATHS, OPENAPI]
    .filter((one) => !one.endsWith('.md') && name !== '' && isNear(nameOf(one), name, tolerance(name)))
    .map((one) => html`<li><a href="${one}"><code>${one}</code></a></li>`);
  const sections = found
    .slice(0, MOST_GUESSES)
    .map(
      ({ url, page, heading }) =>
        html`<li><a href="${url}">${heading === page ? page : `${page}: ${heading}`}</a></li>`,
    );
  const guesses = [...near, ...sections].slice(0, MOST_GUESSES);
  const list = guesses.length > 0 && html`<p>Did you mean:</p><ul>${guesses}</ul>`;
  const body = html`<h1 id="missing">Page not found</h1>${list}<p>Try the <a href="/docs">overview</a> or the search.</p>`;
  return { status: 404, text: layout({ path: '', title: 'Not found', body, links: PAGES }, deployment) };
}

const MOST_GUESSES = 5;
const OPENAPI = '/docs/openapi.json';

/** Returns the last part of a path in lowercase, without its extension. */
const nameOf = (path: string) => /([^/]*?)(\.[a-z0-9]+)?$/.exec(path.toLowerCase())?.[1] ?? '';
