import type { Deployment } from './deployment';
import type { Html } from './html';
import { plainText } from './markdown';
import type { Page } from './pages';

const FENCES: Record<string, string> = { JSON: 'json', HTTP: 'http', Shell: 'sh', Text: 'text' };

const FIGURE =
  /<figure class="code"><figcaption>(.*?)<\/figcaption><pre[^>]*><code>([\s\S]*?)<\/code><\/pre><\/figure>/g;

/** Matches the "Try it" console, which works only in a browser. */
const INTERACTIVE = /<h2 id="try-it">.*?<\/h2>|<(noscript|form|script)\b[\s\S]*?<\/\1>/g;

/**
 * Removes all tabs but the first, and the labels of tabs. The same call in seven languages would be most of the text that
 * programs read.
 */
export function firstTabs(text: string): string {
  return text.replaceAll(
    /<div class="tabs"><div role="radiogroup"[\s\S]*?<\/div>(<figure[\s\S]*?<\/figure>)[\s\S]*?<\/figure><\/div>/g,
    '$1',
  );
}

/** Returns HTML as text. Unlike `plainText`, keeps line breaks and indentation. */
function decoded(markup: string): string {
  return markup
    .split('\n')
    .map((line) => {
      const [indent = ''] = /^ */.exec(line) ?? [];
      return indent + plainText(line.replaceAll(/<span[^>]*>|<\/span>/g, ''));
    })
    .join('\n');
}

function inline(markup: string): string {
  return plainText(
    markup
      .replaceAll(/<br>/g, ' ')
      .replaceAll(/<code[^>]*>(.*?)<\/code>/g, '`$1`')
      .replaceAll(/<(?:strong|b)[^>]*>(.*?)<\/(?:strong|b)>/g, '**$1**')
      .replaceAll(/<a href="([^"]*)"[^>]*>(.*?)<\/a>/g, '[$2]($1)')
      .replaceAll(/<\/?(?:span|em)[^>]*>/g, ''),
  );
}

function tableRows(table: string): string[] {
  const rows = [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd]>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) => inline(cell).replaceAll('|', '\\|')),
  );
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(head.map(() => '---')), ...body.map(line)];
}

/** Returns a generated page as Markdown. Supports only the HTML elements that the templates in this folder use. */
function markdownOf({ text }: Html): string {
  const blocks: string[] = [];
  const keep = (block: string) => `\n\n@@${blocks.push(block) - 1}@@\n\n`;
  return firstTabs(text)
    .replaceAll(INTERACTIVE, '')
    .replaceAll(FIGURE, (_, label: string, code: string) =>
      keep(`\`\`\`${FENCES[label] ?? ''}\n${decoded(code)}\n\`\`\``),
    )
    .replaceAll(/<table>([\s\S]*?)<\/table>/g, (_, table: string) => keep(tableRows(table).join('\n')))
    .replaceAll(/<h([1-3])[^>]*>(.*?)<\/h\1>/g, (_, depth: string, title: string) =>
      keep(`${'#'.repeat(Number(depth))} ${plainText(title)}`),
    )
    .replaceAll(/<li>([\s\S]*?)<\/li>/g, (_, item: string) => `@@- ${inline(item)}`)
    .replaceAll(/<ul>\s*([\s\S]*?)\s*<\/ul>/g, (_, list: string) => keep(list.split('@@').join('\n').trim()))
    .replaceAll(/<p[^>]*>([\s\S]*?)<\/p>/g, (_, paragraph: string) => keep(inline(paragraph)))
    .replaceAll(/<[^>]*>/g, '')
    .split(/\s*\n\s*/)
    .filter(Boolean)
    .map((part) => part.replaceAll(/@@(\d+)@@/g, (_, index: string) => blocks[Number(index)] ?? ''))
    .join('\n\n')
    .concat('\n');
}

/** Returns the path of a page's twin, which is the same page in Markdown. */
export const twinPath = (path: string) => `${path === '/docs' ? '/docs/index' : path}.md`;

/** Returns a page as Markdown. Its links to other pages lead to the Markdown versions of these pages. */
export function twinOf({ source, body }: Page, pages: readonly Page[], deployment: Deployment): string {
  const paths = new Set(pages.map(({ path }) => path));
  const text = source?.(deployment) ?? markdownOf(body(deployment));
  return text.replaceAll(/\]\((\/docs[^)#\s]*)/g, (all, path: string) =>
    paths.has(path) ? `](${twinPath(path)}` : all,
  );
}
