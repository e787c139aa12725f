import compile from 'icu-minify/compile';
import ts from 'typescript';
import type { Language } from '@/lib/platform/text/languages';

export type Texts = { [key: string]: string | Texts };

/** Returns messages by their whole keys, such as `bookings.cancel.title`. */
export function messagesIn(texts: Texts, above = ''): Map<string, string> {
  const entries = Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[above + key, value]] : [...messagesIn(value, `${above}${key}.`)],
  );
  return new Map(entries);
}

/** Returns the names of a message's parameters and tags. @throws Error if it is not a message. */
export function parametersOf(message: string): Set<string> {
  const names = new Set<string>();
  // A node is a text, 0 (the number of a plural), a parameter with the number of its type, or a tag with its children.
  const visit = (nodes: unknown): void => {
    if (!Array.isArray(nodes)) return;
    for (const node of nodes) {
      if (!Array.isArray(node)) continue;
      const [name, type, options] = node as [string, unknown, unknown];
      names.add(name);
      if (typeof type !== 'number' || type === 0) visit(node.slice(1));
      else for (const option of Object.values(Object(options))) visit(option);
    }
  };
  visit(compile(message));
  return names;
}

/** Returns what differs between the messages of two languages: keys, parameters, and tags. */
export function differencesOf(english: Map<string, string>, other: Map<string, string>): string[] {
  const missing = [...english.keys()].filter((key) => !other.has(key)).map((key) => `${key} is missing`);
  const unknown = [...other.keys()].filter((key) => !english.has(key)).map((key) => `${key} is not in English`);
  const differing = [...english].flatMap(([key, text]) => {
    const message = other.get(key);
    if (message === undefined) return [];
    const [needed, given] = [namesOf(text), namesOf(message)];
    return needed === given ? [] : [`${key} has {${given}} instead of {${needed}}`];
  });
  return [...missing, ...unknown, ...differing];
}

function namesOf(message: string): string {
  try {
    return [...parametersOf(message)].sort().join(', ');
  } catch (error) {
    return `invalid: ${(error as Error).message}`;
  }
}

/** What a reader of the language would stumble over. */
const TYPOGRAPHY: Partial<Record<Language, { pattern: RegExp; instead: string }[]>> = {
  fr: [
    { pattern: / [:;?!»]|« /, instead: 'U+00A0 before : ; ? ! » and after «' },
    { pattern: /\p{L}'\p{L}/u, instead: 'the apostrophe ’' },
  ],
  es: [
    { pattern: /^[^¿]*\?/, instead: '¿ at the beginning of a question' },
    { pattern: /^[^¡]*!/, instead: '¡ at the beginning of an exclamation' },
  ],
};

/** Returns the messages of a language with wrong punctuation. */
export function typographyOf(language: Language, messages: Map<string, string>): string[] {
  return [...messages].flatMap(([key, text]) =>
    (TYPOGRAPHY[language] ?? [])
      .filter(({ pattern }) => pattern.test(text.replaceAll(/https?:\S+/g, '')))
      .map(({ instead }) => `${key} needs ${instead}`),
  );
}

/** The places of the catalog that a file names, and the keys that it can ask for there. */
export type Uses = { parts: Set<string>; keys: Set<string>; patterns: RegExp[]; any: boolean };

const TRANSLATOR = /^(?:\w+\.)?(?:\w*translator\w*|useTranslations|pageTitle)$/i;

/**
 * Returns the keys that a file can ask for. A text anywhere in the file counts as a key, because tables hold keys, too. A
 * template counts as all keys that fit it, and a translator that is called with a variable as all keys of one name.
 */
export function usesIn(file: string, source: string, isPart: (path: string) => boolean): Uses {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind);
  const translators = translatorsIn(root);
  const uses: Uses = { parts: new Set(), keys: new Set(), patterns: [], any: false };
  const addPart = (node: ts.Node | undefined) => {
    if (node && ts.isStringLiteralLike(node) && isPart(node.text)) uses.parts.add(node.text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const name = node.expression.getText();
      if (TRANSLATOR.test(name)) node.arguments.forEach(addPart);
      else visitKey(node.arguments[0], name);
    }
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node))
      for (const given of node.typeArguments ?? []) if (ts.isLiteralTypeNode(given)) addPart(given.literal);
    if (ts.isStringLiteralLike(node)) uses.keys.add(node.text);
    // The keys of a table can be keys of messages.
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) uses.keys.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  const visitKey = (node: ts.Node | undefined, name: string): void => {
    if (node === undefined) return;
    if (ts.isTemplateExpression(node)) uses.patterns.push(...patternOf(node));
    if (ts.isConditionalExpression(node)) for (const one of [node.whenTrue, node.whenFalse]) visitKey(one, name);
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) visitKey(node.expression, name);
    const isVariable = [
      ts.isIdentifier,
      ts.isPropertyAccessExpression,
      ts.isElementAccessExpression,
      ts.isCallExpression,
    ].some((is) => is(node));
    if (isVariable && (translators.has(name.replace(/\.rich$/, '')) || /^useTranslations\(/.test(name)))
      uses.any = true;
  };
  visit(root);
  return uses;
}

function translatorsIn(root: ts.SourceFile): Set<string> {
  const names = new Set(['t', 'words']);
  const visit = (node: ts.Node): void => {
    const isCall =
      ts.isVariableDeclaration(node) &&
      /^(?:await )?(?:useTranslations|\w*translator\w*)\(/i.test(node.initializer?.getText() ?? '');
    const isTyped =
      (ts.isParameter(node) || ts.isPropertySignature(node)) && /\bTranslator/.test(node.type?.getText() ?? '');
    if (isCall || isTyped) names.add(node.name.getText());
    ts.forEachChild(node, visit);
  };
  visit(root);
  return names;
}

/** Only a template of which a part could be a key. */
function patternOf({ head, templateSpans }: ts.TemplateExpression): RegExp[] {
  const parts = [head.text, ...templateSpans.map(({ literal }) => literal.text)];
  if (!/^[\w.]+$/.test(parts.join(''))) return [];
  return [new RegExp(`^${parts.map((part) => part.replaceAll('.', '\\.')).join('.+')}$`)];
}

/** Returns the keys that no file can ask for. */
export function unusedKeys(keys: Iterable<string>, files: readonly Uses[]): string[] {
  return [...keys].filter((key) => !files.some((uses) => isUsed(key, uses)));
}

function isUsed(key: string, { parts, keys, patterns, any }: Uses): boolean {
  const dots = [...key.matchAll(/\./g)].map(({ index }) => index);
  return dots.some((dot) => {
    if (!parts.has(key.slice(0, dot))) return false;
    const rest = key.slice(dot + 1);
    return (
      keys.has(rest) ||
      patterns.some((pattern) => pattern.test(rest)) ||
      (any && (dot !== dots[0] || !rest.includes('.')))
    );
  });
}
