import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { MAX_WRITTEN, readJson } from '@/lib/booking/catalog/transfer/json';
import { ERROR_CODES } from '@/lib/contract/errors/codes';
import { translateError } from '@/lib/control-center/messages/errors';
import { LANGUAGES } from '@/lib/platform/text/languages';

/** What a message of a field starts with. It continues a sentence that begins with the name of the field. */
const START =
  /^(?:must|is|has|have|needs|can|cannot|contains|already|there can|a business can|account|does not|exceeds|repeats|was|would) ./;

/** Only partners and operators get the messages of these files, in English. */
const NOT_SHOWN =
  /^(?:operations|http|booking\/(?:busy|sandbox|idempotency)|platform\/generated|contract\/docs)\/|^contract\/(?:samples|availability|availability-days|busy|countries|events-list|readiness|sandbox|bookings-list|recorded|errors\/reasons)\.ts$|^booking\/readiness\/report\.ts$|^booking\/bookings\/resolve-(?:days|slots)\.ts$|^platform\/env\.ts$/;

/**
 * Texts of other kinds that look like messages, and messages with a choice of words, which the test below has. 7 stands for
 * every expression.
 */
const OTHERS = new Set(['does not yet take', 'must be 7', 'must be a 7 in this document', 'there can be at most 7 7s']);

function messages(): string[] {
  const files = readdirSync('lib', { recursive: true, encoding: 'utf8' });
  const found = new Set<string>();
  for (const file of files.filter((name) => name.endsWith('.ts') && !NOT_SHOWN.test(name))) {
    const source = ts.createSourceFile(file, readFileSync(`lib/${file}`, 'utf8'), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      const text = textOf(node);
      if (text && START.test(text) && !OTHERS.has(text)) found.add(text);
      else ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return [...found];
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('7');
}

test('every message that a page can show has a translation in each language', () => {
  const all = [...messages(), ...Object.values(ERROR_CODES).map(({ message }) => message)];
  expect(all.length).toBeGreaterThan(150);
  for (const language of LANGUAGES)
    if (language !== 'en')
      expect({ language, missing: all.filter((message) => translateError(language, message) === message) }).toEqual({
        language,
        missing: [],
      });
});

test('a translation keeps what differs, and an unknown message stays English', () => {
  expect(translateError('de', 'must be a whole number from 1 to 90')).toBe('muss eine ganze Zahl von 1 bis 90 sein');
  expect(translateError('fr', 'is unknown: the name is city')).toBe('n’existe pas\u00a0: le nom est city');
  expect(translateError('de', 'there can be at most 2,000 specialists')).toContain('höchstens 2,000 Fachkräfte');
  expect(translateError('es', 'is something new')).toBe('is something new');
  expect(translateError('en', 'is required')).toBe('is required');
  expect(translateError('de', `is unknown: the name is ${'x'.repeat(600)}`)).toContain('is unknown');
});

test.each([
  ['is not valid JSON: line 1, column 11', 'ist kein gültiges JSON: Zeile 1, Spalte 11'],
  [
    'has a text or a field name that is too long: line 2, column 3',
    'hat einen zu langen Text oder Feldnamen: Zeile 2, Spalte 3',
  ],
  ['is too common, so change it first', 'ist zu verbreitet: Ändern Sie es daher zuerst'],
  ['must have 12 to 128 characters, so change it first', 'muss 12 bis 128 Zeichen haben: Ändern Sie es daher zuerst'],
  [
    'Nothing was undone: Cut, Color and 3 more changed since, or undone before.',
    'Nichts wurde widerrufen: Cut, Color und 3 weitere wurden seither geändert oder schon widerrufen.',
  ],
])('no words stay English in the translation of "%s"', (message, german) => {
  expect(translateError('de', message)).toBe(german);
  for (const language of ['fr', 'es'] as const)
    expect(translateError(language, message)).not.toMatch(/\b(?:line|column|must|common|and|more|first)\b/);
});

test('the first error of a document states its place in the language of the reader', () => {
  const of = (text: string) => translateError('de', readJson(text, 1).issues[0]?.message ?? '');
  expect(of('{"format":')).toBe('ist kein gültiges JSON: Zeile 1, Spalte 11');
  expect(of(`{\n"format": "${'x'.repeat(MAX_WRITTEN + 1)}"}`)).toBe(
    'hat einen zu langen Text oder Feldnamen: Zeile 2, Spalte 11',
  );
});
