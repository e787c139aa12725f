import ts from 'typescript';

export type Pattern = { line: number; source: string; flags: string };

function visit(node: ts.Node, seen: (node: ts.Node) => void): void {
  seen(node);
  ts.forEachChild(node, (child) => visit(child, seen));
}

function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

const lineOf = (node: ts.Node) => node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;

/** Returns the regular expressions that a file contains as literals. */
export function patternsIn(file: string, text: string): Pattern[] {
  const found: Pattern[] = [];
  visit(parse(file, text), (node) => {
    if (!ts.isRegularExpressionLiteral(node)) return;
    const end = node.text.lastIndexOf('/');
    found.push({ line: lineOf(node), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
  });
  return found;
}

/** Returns the lines of a file that construct a regular expression with `RegExp`. */
export function constructionsIn(file: string, text: string): number[] {
  const found: number[] = [];
  visit(parse(file, text), (node) => {
    if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return;
    if (ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') found.push(lineOf(node));
  });
  return found;
}

/** Returns whether the time of a match can grow faster than the text. Without repetition, it cannot. */
export function repeats({ source }: Pick<Pattern, 'source'>): boolean {
  return /[*+]|\{\d+,\d*\}/.test(source);
}

/** Each checks the whole text before any `.max()` that follows it. */
const FORMATS =
  /^z\.(?:iso\.\w+|email|url|httpUrl|hostname|uuid\w*|guid|nanoid|cuid2?|ulid|base64(?:url)?|jwt|hex|hash|emoji|ip\w+|cidr\w+|e164|stringFormat)$/;

/** After these, a text is still unchecked and unchanged. */
const HARMLESS = /^(?:meta|describe|optional|nullable|nullish|exactOptional|array|default|catch|readonly|or)$/;

/**
 * Returns the lines with a text schema that has no length limit before its first check: a `z.string()` with any check,
 * a zod format outside `.check()`, or `z.coerce`. They must start with `boundedText`.
 */
export function unboundedTextsIn(file: string, text: string): number[] {
  const found: number[] = [];
  visit(parse(file, text), (node) => {
    if (!ts.isCallExpression(node)) return;
    const name = node.expression.getText().replaceAll(/\s/g, '');
    if (name === 'z.string' && isChecked(node)) found.push(lineOf(node));
    if (/^z\.coerce\.\w+$/.test(name)) found.push(lineOf(node));
    if (FORMATS.test(name) && !isInCheck(node)) found.push(lineOf(node));
  });
  return found;
}

function isChecked(node: ts.Node): boolean {
  const { parent } = node;
  if (!ts.isPropertyAccessExpression(parent) || parent.expression !== node) return false;
  return !HARMLESS.test(parent.name.text) || isChecked(parent.parent);
}

function isInCheck({ parent }: ts.Node): boolean {
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    parent.expression.name.text === 'check'
  );
}
