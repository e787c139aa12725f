import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import csharp from 'highlight.js/lib/languages/csharp';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml, Html, html } from './html';

for (const [name, language] of Object.entries({ ts: typescript, sh: bash, python, php, go, java, csharp, json }))
  hljs.registerLanguage(name, language);
hljs.configure({ classPrefix: '' });

/** A heading of a page, for the table of contents and the search. */
export type Heading = { id: string; text: string; depth: number };

const LABELS: Record<string, string> = {
  sh: 'Shell',
  json: 'JSON',
  http: 'HTTP',
  text: 'Text',
  console: 'Shell',
  ts: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
  java: 'Java',
  csharp: 'C#',
};

/** Returns a code block. Its label is its file name or, without a file name, its language. */
export function codeBlock(code: string, info: string): Html {
  const [language = '', name] = info.split(' ');
  const label = name?.includes('.') ? name : (LABELS[language] ?? language);
  const text = hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escapeHtml(code);
  return html`<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0"><code>${new Html(text)}</code></pre></figure>`;
}

/** Returns the anchor of a heading. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Returns a heading. The text of a heading other than an h1 is a link to that heading. */
export function heading({ id, text, depth }: Heading): Html {
  const inner = depth === 1 ? html`${text}` : html`<a href="#${id}">${text}</a>`;
  return new Html(`<h${depth} id="${id}">${inner.text}</h${depth}>\n`);
}

const headingOf = ({ text, depth }: Tokens.Heading): Heading => ({
  id: slugOf(text),
  text: text.replaceAll('`', ''),
  depth,
});

const marked = new Marked({
  gfm: true,
  renderer: {
    heading(token: Tokens.Heading) {
      return heading(headingOf(token)).text;
    },
    code({ text, lang }: Tokens.Code) {
      return codeBlock(text, lang ?? '').text;
    },
    /** Wide tables can be scrolled with the pointer or the keyboard. A table can lack its header. */
    table({ header, rows }: Tokens.Table) {
      const cellOf = ({ header: isHeader, text, tokens }: Tokens.TableCell) => {
        const tag = isHeader && text !== '' ? 'th' : 'td';
        return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
      };
      const rowOf = (cells: Tokens.TableCell[]) => `<tr>${cells.map(cellOf).join('')}</tr>\n`;
      const head = header.some(({ text }) => text !== '') ? `<thead>${rowOf(header)}</thead>` : '';
      const body = `<tbody>${rows.map(rowOf).join('')}</tbody>`;
      return `<div class="scroll" tabindex="0"><table>${head}${body}</table></div>\n`;
    },
    checkbox() {
      return '<span class="box" aria-hidden="true"></span> ';
    },
    // The documentation contains no raw HTML, so anything that looks like HTML is escaped.
    html({ text }: Tokens.HTML | Tokens.Tag) {
      return escapeHtml(text);
    },
  },
});

/** Matches the word `tab` at the end of a code block's opening line. Consecutive blocks with `tab` form a group. */
const TAB = / tab$/;

/** A code block: the words after its fence, and its code. */
type Block = { info: string; code: string };

/**
 * Returns code blocks as tabs. The tabs are radio buttons, which work without JavaScript.
 * @param group a word that is unique on the page
 */
export function tabGroup(blocks: readonly Block[], group: string): Html {
  const choices = blocks.map(({ info }, i) => {
    const [language = ''] = info.split(' ');
    const id = `tab-${group}-${i + 1}`;
    const checked = i === 0 && new Html(' checked');
    return html`<input type="radio" name="tab-${group}" id="${id}"${checked}><label for="${id}">${LABELS[language] ?? language}</label>`;
  });
  const figures = blocks.map(({ info, code }) => codeBlock(code, info));
  return html`<div class="tabs"><div role="radiogroup" aria-label="Language">${choices}</div>${figures}</div>\n`;
}

/** Renders Markdown to HTML. Consecutive code blocks with the word `tab` become one group of tabs. */
export function renderMarkdown(markdown: string): Html {
  let text = '';
  let groups = 0;
  let open: Tokens.Code[] = [];
  const close = () => {
    if (open.length === 0) return;
    groups += 1;
    text += tabGroup(
      open.map(({ lang = '', text: code }) => ({ info: lang, code })),
      String(groups),
    ).text;
    open = [];
  };
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'code' && TAB.test((token as Tokens.Code).lang ?? '')) open.push(token as Tokens.Code);
    else if (token.type !== 'space' || open.length === 0) {
      close();
      text += marked.parser([token]);
    }
  }
  close();
  return new Html(text);
}

/** Renders inline Markdown, such as code spans, to HTML. */
export function renderInline(markdown: string): Html {
  return new Html(marked.parseInline(markdown, { async: false }));
}

/**
 * Returns the sections of Markdown that begins with a heading, one per heading, for the search. Code blocks are left
 * out, because words in samples would hide the sections that explain these words.
 */
export function sectionsOf(markdown: string): (Heading & { body: string })[] {
  const sections: (Heading & { body: string })[] = [];
  const add = (token: Token) => {
    const section = sections.at(-1);
    if (section && token.type !== 'code' && 'text' in token && !('tokens' in token)) section.body += `${token.text} `;
  };
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'heading' && token.depth <= 3)
      sections.push({ ...headingOf(token as Tokens.Heading), body: '' });
    else marked.walkTokens([token], add);
  }
  return sections;
}

/** Returns the headings of a page, in document order. */
export function headingsOf(page: Html): Heading[] {
  return [...page.text.matchAll(/<h([1-3]) id="([^"]*)">(.*?)<\/h\1>/g)].map(([, depth, id = '', inner = '']) => ({
    id,
    text: plainText(inner),
    depth: Number(depth),
  }));
}

/** Returns the text of HTML without tags and with decoded entities. */
export function plainText(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
