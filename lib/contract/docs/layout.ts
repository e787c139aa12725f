import type { Deployment } from './deployment';
import { Html, html } from './html';
import { headingsOf } from './markdown';
import { twinPath } from './twin';

export type Link = { path: string; title: string; group: string };

type Framed = { path: string; title: string; description?: string; body: Html; links: readonly Link[] };

function navigation(links: readonly Link[], path: string): Html {
  const groups = [...new Set(links.map(({ group }) => group))];
  const item = (link: Link) =>
    html`<li><a href="${link.path}"${link.path === path && new Html(' aria-current="page"')}>${link.title}</a></li>`;
  return html`<nav id="contents" aria-label="Documentation"><a class="to-top" href="#main">Back to the page</a>${groups.map(
    (group) => html`<h2>${group}</h2><ul>${links.filter((one) => one.group === group).map(item)}</ul>`,
  )}</nav>`;
}

function onThisPage(body: Html): Html | null {
  const sections = headingsOf(body).filter(({ depth }) => depth > 1);
  // The table of contents lists only the main sections. If they are less than a third of all sections, as on the page
  // of the contract, it lists the subsections too.
  const main = sections.filter(({ depth }) => depth === 2);
  const headings = main.length < sections.length / 3 ? sections : main;
  if (headings.length < 3) return null;
  const items = headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`);
  return html`<nav class="toc" aria-label="On this page"><h2>On this page</h2><ul>${items}</ul></nav>`;
}

function adjacent(links: readonly Link[], path: string): Html | null {
  const at = links.findIndex((link) => link.path === path);
  if (at < 0) return null;
  const [before, after] = [links[at - 1], links[at + 1]];
  return html`<nav class="adjacent" aria-label="Adjacent pages">${before ? html`<a rel="prev" href="${before.path}">← ${before.title}</a>` : html`<span></span>`}${after && html`<a rel="next" href="${after.path}">${after.title} →</a>`}</nav>`;
}

/** Keeps short code spans, such as `X-Request-Id`, on one line, and lets routes break only before a slash. */
function wholeWords({ text }: Html): Html {
  return new Html(
    text
      .replaceAll(/<code>([\w.:-]{1,32})<\/code>/g, '<code class="whole">$1</code>')
      .replaceAll(
        /<code>((?:[A-Z]+ )?)(\/[\w/{}.-]+)<\/code>/g,
        (_, method: string, path: string) => `<code class="path">${method}${path.replaceAll('/', '<wbr>/')}</code>`,
      ),
  );
}

/**
 * Returns a complete HTML page, which loads nothing from other hosts. Without JavaScript, the page lacks only
 * conveniences, such as search-as-you-type and copy buttons.
 */
export function layout(
  { path, title, description, body, links }: Framed,
  { environment }: Deployment,
  query = '',
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === 'Overview' ? '' : `${title} · `}Partner Booking API</title>
${description ? html`<meta name="description" content="${description}">` : html`<meta name="robots" content="noindex">`}
${description && html`<link rel="alternate" type="text/markdown" href="${twinPath(path)}">`}
<link rel="icon" href="/docs/${environment.toLowerCase()}.svg" type="image/svg+xml">
<link rel="alternate" type="application/atom+xml" title="Changelog" href="/docs/changelog.atom">
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/docs.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to main content</a>
<header>
<a class="brand" href="/docs">Partner Booking API</a>
<span class="environment ${environment.toLowerCase()}">${environment}</span>
<form role="search" action="/docs/search"><input type="search" name="q" value="${query}" placeholder="Search" aria-label="Search the documentation" autocomplete="off" maxlength="100"><div id="found" role="status"></div></form>
<a class="to-contents" href="#contents">Contents</a>
</header>
<div class="page">
<main id="main">${wholeWords(body)}${adjacent(links, path)}${description && html`<p class="twin"><a href="${twinPath(path)}">This page as Markdown</a></p>`}</main>
${onThisPage(body)}
${navigation(links, path)}
</div>
</body>
</html>
`.text;
}
