import { existsSync, readdirSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { StartError } from '@/lib/platform/postgres/start-error';

/** Without a `directory`, the group has no files to select. The names of its files end in `suffix` and .ts or .tsx. */
export type Group = { name: string; directory: string | null; suffix: string };

/** Null `files` stand for all. */
export type Selected = { name: string; files: string[] | null };

/** Returns the paths of a group's test files, relative to the root, with forward slashes. */
export function filesOf(root: string, { directory, suffix }: Group): string[] {
  if (directory === null || !existsSync(join(root, directory))) return [];
  return readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter((file) => [`${suffix}.ts`, `${suffix}.tsx`].some((end) => file.endsWith(end)))
    .map((file) => `${directory}/${file.split(sep).join('/')}`)
    .sort();
}

/** Converts an absolute path, or one that starts with a dot, to the format of `filesOf`. */
function pathPart(root: string, word: string): string {
  const isPath = isAbsolute(word) || word.startsWith('.');
  return isPath ? relative(root, resolve(root, word)).split(sep).join('/') : word;
}

/**
 * Returns the groups and test files that `words` select: names of groups, or parts of paths.
 * @throws StartError if a word is an option or matches no test file
 */
export function select(root: string, groups: Group[], words: string[]): Selected[] {
  const option = words.find((word) => word.startsWith('-'));
  if (option) throw new StartError(`Unknown option ${option}: specify paths of test files or names of groups.`);
  const names = new Set(groups.map((group) => group.name));
  const named = groups.filter((group) => words.includes(group.name));
  const candidates = named.length > 0 ? named : groups;
  const parts = words.filter((word) => !names.has(word)).map((word) => ({ word, part: pathPart(root, word) }));
  if (parts.length === 0) return candidates.map(({ name }) => ({ name, files: null }));
  const found = candidates.map((group) => ({ name: group.name, files: filesOf(root, group) }));
  const unmatched = parts.find(({ part }) => !found.some(({ files }) => files.some((file) => file.includes(part))));
  if (unmatched) throw new StartError(`No test file matches "${unmatched.word}".`);
  return found
    .map(({ name, files }) => ({ name, files: files.filter((file) => parts.some(({ part }) => file.includes(part))) }))
    .filter(({ files }) => files.length > 0);
}

/**
 * Moves the files of `late` from the whole group `from` to the end of the selection, if the whole group `after` is
 * selected too. The group then has two runs.
 */
export function withLateFiles(
  root: string,
  groups: Group[],
  selected: Selected[],
  { from, after, late }: { from: string; after: string; late: (file: string) => boolean },
): Selected[] {
  const group = groups.find(({ name }) => name === from);
  const isWhole = (wanted: string) => selected.some(({ name, files }) => name === wanted && files === null);
  if (!group || !isWhole(from) || !isWhole(after)) return selected;
  const files = filesOf(root, group);
  const others = selected.map((one) =>
    one.name === from ? { name: from, files: files.filter((f) => !late(f)) } : one,
  );
  return [...others, { name: from, files: files.filter(late) }];
}
