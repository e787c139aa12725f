// Fails if a page of the Control Center contains text outside the catalog, if the languages of the catalog differ in keys or
// parameters, or if no code uses a key.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LANGUAGES, type Language } from '@/lib/platform/text/languages';
import { differencesOf, messagesIn, type Texts, typographyOf, unusedKeys, usesIn } from './language-keys';
import { textsIn } from './language-texts';

const CATALOG = 'lib/control-center/messages';
const MAILS = 'lib/activity/mail/languages';
const ROOTS = ['app', 'inngest', 'lib'];
/** Partners read the documentation and the API in English. `Intl` names languages for readers of the others. */
const ENGLISH = /^app\/(?:api|docs|_docs\.ts|\[\[\.\.\.path\]\]|_components\/languages\.ts)/;

function filesIn(root: string, pattern: RegExp): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
    .filter((file) => pattern.test(file) && !file.includes('/generated/'));
}

function catalogOf(language: Language): Texts {
  const texts = (file: string): Texts => JSON.parse(readFileSync(file, 'utf8'));
  const files = filesIn(`${CATALOG}/${language}`, /\.json$/);
  const pages = Object.fromEntries(files.map((file) => [basename(file, '.json'), texts(file)]));
  return { ...pages, mails: texts(`${MAILS}/${language}.json`) };
}

function report(problem: string): void {
  console.log(problem);
  process.exitCode = 1;
}

const code = ROOTS.flatMap((root) => filesIn(root, /\.tsx?$/)).map((file) => ({
  file,
  source: readFileSync(file, 'utf8'),
}));
for (const { file, source } of code) {
  if (!file.startsWith('app/') || ENGLISH.test(file)) continue;
  for (const { line, text } of textsIn(file, source)) report(`${file}:${line}: "${text}" is not in the catalog.`);
}

// A label is another text in each language.
for (const file of filesIn('app', /\.css$/))
  for (const [text] of readFileSync(file, 'utf8').matchAll(/\[(?:data-label|aria-label|title)[~|^$*]?=[^\]]*\]/g))
    report(`${file}: ${text} selects by a text. Use an attribute that no language changes.`);

const english = messagesIn(catalogOf('en'));
for (const language of LANGUAGES) {
  const messages = messagesIn(catalogOf(language));
  for (const problem of [...differencesOf(english, messages), ...typographyOf(language, messages)])
    report(`${CATALOG}/${language}: ${problem}.`);
}

const parts = new Set(
  [...english.keys()].flatMap((key) => [...key.matchAll(/\./g)].map(({ index }) => key.slice(0, index))),
);
const uses = code.map(({ file, source }) => usesIn(file, source, (path) => parts.has(path)));
// The keys of errors are the English texts, those of the audit log the actions of its entries, and those of mails their kinds.
const named = [...english.keys()].filter((key) => !/^(?:errors|audit|mails)\./.test(key));
for (const key of unusedKeys(named, uses)) report(`${CATALOG}: no code uses ${key}.`);
