import { escapeHtml, Html } from './html';

const STRING = ['"', "'", '`'].map((quote) => String.raw`${quote}(?:[^${quote}\\]|\\.)*${quote}`).join('|');
const WORDS =
  'async|await|break|case|catch|const|continue|do|done|else|esac|export|for|function|if|import|in|from|let|new|null|of|return|then|throw|true|try|type|while';

const PYTHON =
  'and|as|class|def|else|except|for|from|if|import|in|is|None|not|or|pass|raise|return|try|while|with|True|False';
const PHP =
  'array|as|catch|class|const|declare|echo|else|extends|final|for|foreach|function|if|new|null|public|readonly|require_once|return|throw|true|false|try|while';
const GO =
  'bool|break|const|defer|else|error|false|for|func|if|import|int|map|nil|package|range|return|string|struct|true|type|var';

const LANGUAGES: Record<string, RegExp> = {
  ts: new RegExp(`(?<comment>/\\*[\\s\\S]*?\\*/|//[^\\n]*)|(?<string>${STRING})|\\b(?<word>${WORDS})\\b`, 'g'),
  sh: new RegExp(`(?<comment>(?<=^|\\n)#[^\\n]*)|(?<string>${STRING})|\\b(?<word>${WORDS}|curl|echo|sleep)\\b`, 'g'),
  python: new RegExp(
    `(?<comment>#[^\\n]*)|(?<string>"""[\\s\\S]*?"""|[fb]?(?:${STRING}))|\\b(?<word>${PYTHON})\\b`,
    'g',
  ),
  php: new RegExp(`(?<comment>/\\*[\\s\\S]*?\\*/|//[^\\n]*)|(?<string>${STRING})|\\b(?<word>${PHP})\\b`, 'g'),
  go: new RegExp(`(?<comment>//[^\\n]*)|(?<string>${STRING})|\\b(?<word>${GO})\\b`, 'g'),
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
