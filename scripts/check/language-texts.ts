import ts from 'typescript';

/** Names and codes that are the same in all languages. */
const SAME: ReadonlySet<string> = new Set([
  '2FA',
  'API',
  'CSV',
  'Deutsch',
  'English',
  'Español',
  'Français',
  'Control Center',
  'ID',
  'IPv4',
  'IPv6',
  'Inngest',
  'JSON',
  'LIVE',
  'Node.js',
  'OpenAPI',
  'Partner Booking',
  'TEST',
  'URL',
  'UTC',
]);

/** Attributes whose values people read, even a single word in small letters. */
const READ_ATTRIBUTE =
  /^(?:label|title|placeholder|description|caption|alt|children|aria-label|aria-description|aria-roledescription|aria-valuetext|data-label|nothingFoundMessage)$/;

/** Properties whose values people read, unless they are a key: a single word that starts with a small letter. */
const READ_PROPERTY =
  /^(?:label|title|placeholder|description|caption|lead|hint|help|heading|summary|tooltip|message|problem|error|text)$/;

const KEY = /^[a-z]\w*$/;

/** Attributes and properties with values that no one reads, even if they look like text. */
const UNREAD =
  /^(?:className|style|key|id|type|role|href|src|rel|autoComplete|font\w*|grid\w*|transition|animation|d)$/;

/** Calls whose texts only developers and logs see, or that take no text. */
const DEVELOPER =
  /^(?:Error|TypeError|RangeError|AppError|invalid|invalidBecause|assert|logger\.\w+|log\.\w+|console\.\w+|useTranslations|translator|pageTitle|\w*\.(?:includes|startsWith|endsWith|indexOf|split|replace|replaceAll|test|match|getItem|setItem|removeItem|querySelector\w*|getElementById|addEventListener|removeEventListener|closest|get|has|set|append|header))$/;

/** A capital letter and small ones, alone or at the beginning of a sentence. */
const SENTENCE = /^\s*\p{Lu}\p{Ll}+[’'\p{Ll}]*(?:$|[\s,.:…?!–-])/u;

/** The names of keys, HTTP headers, fonts, and parts of browsers. */
const CODE =
  /^(?:Enter|Escape|Tab|Backspace|Delete|Home|End|Space|Page(?:Up|Down)|Arrow\w+|Control|Meta|Shift|Alt|Accept(?:-\w+)*|Authorization(?:: .*)?|Idempotency-Key(?:: .*)?|Content-\w+(?:: .*)?|Cache-Control|Retry-After|Set-Cookie|Location|Bearer|Intl|Mobi|Ctrl|Arial)$/;

const LETTER = /\p{L}/u;

/**
 * Addresses, values of CSS, names of fields and variables, statuses such as `4xx`, ids such as `key_…`, single keys, and
 * rows of CSV.
 */
const TECHNICAL =
  /^(?:(?:\/|https?:|#|--|var\().*|[\w-]+\/[\w-]+|[a-z]+(?:_[a-z]+)+|[A-Z]+(?:_[A-Z]+)+=?|\dxx|(?:[a-z]{3}_…\s?)+|[A-Z]|[x-]+…?|[^,]+(?:,\S[^,]*){3,})$/s;

export type FoundText = { line: number; text: string };

/** Returns the texts for people that the code of a page contains, instead of the catalog. */
export function textsIn(file: string, source: string): FoundText[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind);
  const found: FoundText[] = [];
  const report = (node: ts.Node, text: string) => {
    const { line } = root.getLineAndCharacterOfPosition(node.getStart());
    found.push({ line: line + 1, text: text.trim().replaceAll(/\s+/g, ' ') });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isJsxText(node) && isText(node.text, true)) report(node, node.text);
    if (isLiteral(node)) {
      const text = textOf(node);
      if (isText(text, isRead(node)) && !isForDevelopers(node)) report(node, text);
    }
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

type Literal = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression;

function isLiteral(node: ts.Node): node is Literal {
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);
}

/** The text without the values in it. */
function textOf(node: Literal): string {
  if (!ts.isTemplateExpression(node)) return node.text;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('{}');
}

const literalText = (node: ts.Node) => (ts.isStringLiteralLike(node) ? node.text : '');

function isText(text: string, read: boolean): boolean {
  const words = text
    .replaceAll('{}', ' ')
    .replace(/^[\s·]+/, '')
    .trim();
  if (!LETTER.test(words) || SAME.has(words) || CODE.test(words) || TECHNICAL.test(words)) return false;
  return read || SENTENCE.test(text.replace(/^(?:\{\}\s*)+/, ''));
}

/** Returns whether a literal is, or can become, the child of an element or a value that people read. */
function isRead(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isJsxAttribute(parent)) return READ_ATTRIBUTE.test(parent.name.getText());
  if (ts.isPropertyAssignment(parent)) return READ_PROPERTY.test(nameOf(parent.name)) && !KEY.test(literalText(node));
  if (ts.isJsxExpression(parent)) return ts.isJsxAttribute(parent.parent) ? isRead(parent) : true;
  if (ts.isConditionalExpression(parent)) return parent.condition !== node && isRead(parent);
  if (ts.isBinaryExpression(parent)) return !isComparison(parent) && isRead(parent);
  return (ts.isParenthesizedExpression(parent) || ts.isTemplateSpan(parent)) && isRead(parent);
}

function isComparison({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken;
}

const nameOf = (name: ts.PropertyName) => (ts.isStringLiteral(name) ? name.text : name.getText());

/** A placeholder without spaces shows a format, such as `HH:MM`. */
function isSample(attribute: string, node: ts.Node): boolean {
  return attribute === 'placeholder' && ts.isStringLiteral(node) && !/\s/.test(node.text);
}

/** Returns whether a literal is a key, compared, thrown, or passed to a function that shows it to no one. */
function isForDevelopers(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isJsxAttribute(parent)) return UNREAD.test(parent.name.getText()) || isSample(parent.name.getText(), node);
  if (ts.isPropertyAssignment(parent)) return parent.name === node || UNREAD.test(nameOf(parent.name));
  if (ts.isElementAccessExpression(parent) || ts.isCaseClause(parent) || ts.isLiteralTypeNode(parent)) return true;
  if (ts.isBinaryExpression(parent) && isComparison(parent)) return true;
  for (let around: ts.Node = parent; around && !ts.isBlock(around); around = around.parent) {
    if (ts.isThrowStatement(around) || ts.isTypeNode(around)) return true;
    if (ts.isCallExpression(around) || ts.isNewExpression(around)) return isDeveloperCall(around);
    if (ts.isJsxElement(around) || ts.isPropertyAssignment(around)) return false;
  }
  return false;
}

function isDeveloperCall({ expression }: ts.CallExpression | ts.NewExpression): boolean {
  return DEVELOPER.test(expression.getText().replaceAll(/\s|\?/g, ''));
}
