import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

/** Returns what is wrong with the text of a file, at most one sentence per fault. */
type Parser = (text: string, path: string) => string[];

/** Returns the lines that match none of the patterns, without empty lines and comments. */
const linesBeside =
  (comment: RegExp, ...patterns: RegExp[]): Parser =>
  (text) =>
    text
      .replaceAll(/\\\n\s*/g, ' ')
      .split('\n')
      .filter((line) => line.trim() !== '' && !comment.test(line) && !patterns.some((one) => one.test(line)));

const COMMENT = /^\s*#/;
const SECTION = /^\[[\w.-]+\]$/;

const faultsOf = (program: string, ...args: string[]) => {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? [] : [error?.message ?? stderr];
};

/** Blocks in braces, in which each directive ends with `end`. Quoted text can contain anything. */
const blocks =
  (end: RegExp): Parser =>
  (text) => {
    const bare = text
      .replaceAll(/^\s*#.*$/gm, '')
      .replaceAll(/"(?:\\.|[^"\\])*"|'[^']*'/g, 'quoted')
      .replaceAll(/\{\$\w+\}/g, 'setting');
    const wrong = bare.split('\n').filter((line) => line.trim() !== '' && !end.test(line));
    let depth = 0;
    for (const [brace] of bare.matchAll(/[{}]/g)) if (depth >= 0) depth += brace === '{' ? 1 : -1;
    return depth === 0 ? wrong : [...wrong, 'Braces do not match.'];
  };

const yaml: Parser = (text) =>
  parseAllDocuments(text, { merge: true }).flatMap(({ errors, warnings, contents }) =>
    contents === null ? ['An empty document.'] : [...errors, ...warnings].map(({ message }) => message),
  );

const json: Parser = (text) => {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [String(error)];
  }
};

const systemd = linesBeside(COMMENT, SECTION, /^[A-Z]\w*=/);
const settings = linesBeside(COMMENT, /^[A-Z][A-Z0-9_]*=\S*$/);
const nginx = blocks(/[;{}]\s*(?:#.*)?$/);
const words = blocks(/^\s*(?:[^{}\s][^{}]*\{?|\})\s*$/);
/** The first block has no name. Braces can also enclose a placeholder, or be of an expression. */
const caddy: Parser = (text, path) =>
  words(
    text
      .replaceAll(/`[^`]*`/g, 'quoted')
      .replace(/^\{$/m, 'global {')
      .replaceAll(/\$?\{[\w.$]+\}/g, 'placeholder'),
    path,
  );
const shell: Parser = (_, path) => faultsOf('sh', '-n', path);
const ignored = linesBeside(COMMENT, /^!?[\w./*-]+$/);
/** Statements, and commands of psql. */
const sql: Parser = (text) => {
  const bare = text.replaceAll(/--.*$/gm, '').replaceAll(/^\\(?:set|gexec|connect).*$/gm, '');
  return bare.split(';').flatMap((statement, index, all) => {
    if (index === all.length - 1) return statement.trim() === '' ? [] : ['The last statement has no end.'];
    return /^\s*[A-Z]+ /.test(statement) ? [] : [statement];
  });
};

const DOCKER = /^(?:FROM|ARG|WORKDIR|COPY|RUN|LABEL|ENV|USER|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|CMD) /;

/** By name or by ending. Other tests check what the files mean. */
const PARSERS: Record<string, Parser> = {
  '.yml': yaml,
  '.yaml': yaml,
  '.json': json,
  '.service': systemd,
  '.timer': systemd,
  '.env': settings,
  '.ini': linesBeside(/^;;/, SECTION, /^\w+ = /),
  '.pref': linesBeside(COMMENT, /^(?:Explanation|Package|Pin|Pin-Priority): /),
  '.sql': sql,
  '.sh': shell,
  '.mjs': (_, path) => faultsOf(process.execPath, '--check', path),
  '.dockerignore': ignored,
  '.gitignore': ignored,
  'userlist.txt': linesBeside(/^;;/, /^"[^"]+" "[^"]+"$/),
  Dockerfile: linesBeside(COMMENT, DOCKER),
  Caddyfile: caddy,
  nginx,
  logrotate: words,
  shell,
};

/** Secrets of a compose project in this clone. */
const SECRETS = 'deploy/docker/secrets';

/** Returns the key of PARSERS, or null. */
function kindOf(path: string, text: string): string | null {
  const [name, directory] = [basename(path), basename(dirname(path))];
  if (text.startsWith('#!/bin/sh\n')) return 'shell';
  if (name in PARSERS) return name;
  // A systemd unit of another package is changed by a file of this ending too.
  if (name.endsWith('.conf')) return directory === 'nginx' ? 'nginx' : '.service';
  if (directory === 'logrotate') return directory;
  const ending = name.startsWith('.') ? name : extname(name);
  return ending in PARSERS ? ending : null;
}

const FILES = readdirSync('deploy', { recursive: true, encoding: 'utf8' })
  .map((path) => join('deploy', path))
  .filter((path) => !path.startsWith(SECRETS) && statSync(path).isFile())
  .sort();

test.each(FILES)('%s can be parsed', (path) => {
  const text = readFileSync(path, 'utf8');
  const kind = kindOf(path, text);
  expect(kind, 'a kind of file that this test does not know').not.toBeNull();
  expect(PARSERS[kind ?? '']?.(text, path)).toEqual([]);
});

const SPOILED: [kind: string, text: string][] = [
  ['.yaml', 'a: [1'],
  ['.json', '{'],
  ['.service', '[Unit]\nDescription'],
  ['.env', 'NAME=two words'],
  ['.ini', '[databases]\nname'],
  ['.pref', 'Package *'],
  ['.sql', 'CREATE ROLE booking'],
  ['.gitignore', 'a b'],
  ['userlist.txt', '"booking"'],
  ['Dockerfile', 'COPPY . .'],
  ['Caddyfile', 'booking.example {'],
  ['nginx', 'server {\n\tlisten 443\n}'],
  ['logrotate', '/var/log/a {\n\tdaily\n}\n}'],
];

test.each(SPOILED)('a fault of a file of the kind %s is found', (kind, text) => {
  expect(PARSERS[kind]?.(text, '')).not.toEqual([]);
});

test('every file of deploy that a page or another file names exists', () => {
  const pages = readdirSync('docs').filter((name) => name.endsWith('.md'));
  const texts = [...pages.map((name) => join('docs', name)), ...FILES].map(
    (path) => [path, readFileSync(path, 'utf8')] as const,
  );
  const missing = texts.flatMap(([path, text]) =>
    [...text.matchAll(/\bdeploy\/[\w./@-]*\w(?![\w./@-]*[{*])/g)].flatMap(([name]) =>
      name.startsWith(SECRETS) || existsSync(name) ? [] : [`${path}: ${name}`],
    ),
  );
  expect(missing).toEqual([]);
});
