import { escapeHtml, Html } from './html';

const STRING = ['"', "'", '`'].map((quote) => String.raw`${quote}(?:[^${quote}\\]|\\.)*${quote}`).join('|');
const WORDS =
  'async|await|break|case|catch|const|continue|do|done|else|esac|export|for|function|if|import|in|from|let|new|null|of|return|then|throw|true|try|type|while';

const LANGUAGES: Record<string, RegExp> = {
  ts: new RegExp(`(?<comment>/\\*[\\s\\S]*?\\*/|//[^\\n]*)|(?<string>${STRING})|\\b(?<word>${WORDS})\\b`, 'g'),
  sh: new RegExp(`(?<comment>(?<=^|\\n)#[^\\n]*)|(?<string>${STRING})|\\b(?<word>${WORDS}|curl|echo|sleep)\\b`, 'g'),
  json: new RegExp(`(?<word>"(?:[^"\\\\\\n]|\\\\.)*"(?=:))|(?<string>${STRING})`, 'g'),
};

/** Returns code as HTML, with a span around each comment, string, and keyword. */
export function highlight(code: string, language: string): Html {
  const tokens = LANGUAGES[language];
  if (!tokens) return new Html(escapeHtml(code));
  let text = '';
  let at = 0;
  for (const match of code.matchAll(tokens)) {
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0];
    text += `${escapeHtml(code.slice(at, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return new Html(text + escapeHtml(code.slice(at)));
}
