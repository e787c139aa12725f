import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const CORE = 'node_modules/@mantine/core';

/** Returns the contents of the files with one of these endings in a folder and its subfolders. */
function textsIn(folder: string, endings: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.some((ending) => name.endsWith(ending)))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** Returns the names that a file imports from Mantine, except for types. */
function namesFrom(text: string): string[] {
  return [...text.matchAll(/(?:import|export) \{([^}]*)\} from ['"]@mantine\/core['"]/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.replace(/ as .*/, ''));
}

/** Maps each name that Mantine exports to the file that defines this name. */
function filesByName(): Map<string, string> {
  const index = readFileSync(`${CORE}/esm/index.mjs`, 'utf8');
  return new Map(
    [...index.matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)].flatMap(([, names = '', path = '']) =>
      names.split(',').map((name) => [name.replace(/.* as /, '').trim(), resolve(CORE, 'esm', path)] as const),
    ),
  );
}

/** Adds the CSS classes of a Mantine file, and of the files that this file imports, to `classes`. */
function addClasses(file: string, classes: Set<string>, seen: Set<string>): void {
  if (seen.has(file) || !existsSync(file)) return;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.module.mjs')) for (const [, name = ''] of text.matchAll(/"(m_[0-9a-f]+)"/g)) classes.add(name);
  for (const [, path = ''] of text.matchAll(/from "(\.[^"]+)"/g))
    addClasses(resolve(dirname(file), path), classes, seen);
}

/** Returns the paths of the CSS files that the classes need, in the order of Mantine's `styles.css`. */
function stylesOf(classes: ReadonlySet<string>): string[] {
  const all = readFileSync(`${CORE}/styles.css`, 'utf8');
  return readdirSync(`${CORE}/styles`)
    .filter((name) => name.endsWith('.css') && !name.endsWith('.layer.css'))
    .map((name) => ({ name, text: readFileSync(`${CORE}/styles/${name}`, 'utf8') }))
    .filter(({ text }) => {
      const own = [...text.matchAll(/\.(m_[0-9a-f]+)/g)].map(([, name = '']) => name);
      return own.length === 0 || own.some((name) => classes.has(name));
    })
    .sort((one, other) => all.indexOf(one.text.slice(0, 200)) - all.indexOf(other.text.slice(0, 200)))
    .map(({ name }) => `@mantine/core/styles/${name}`);
}

test('the pages load the styles of exactly the Mantine components that they render', () => {
  const texts = [...textsIn('app', ['.ts', '.tsx']), ...textsIn('node_modules/@mantine/notifications/esm', ['.mjs'])];
  const files = filesByName();
  const classes = new Set<string>();
  const seen = new Set<string>();
  for (const name of new Set(texts.flatMap(namesFrom))) addClasses(files.get(name) ?? name, classes, seen);
  const list = readFileSync('app/_components/mantine-styles.ts', 'utf8');
  const imported = [...list.matchAll(/^import '([^']+)';$/gm)].map(([, path]) => path);
  expect(imported).toEqual([...stylesOf(classes), '@mantine/notifications/styles.css']);
});
