import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { StartError } from '@/lib/platform/postgres/start-error';

/** Error messages name this kind. */
type FileKind = 'backup' | 'export';

type Digest = { update: (data: Uint8Array) => unknown; digest: (encoding: 'hex') => string };

const NEWLINE = Buffer.from('\n');

/**
 * `next` returns a line without its line break, or null after the last. `digest` returns the hash of all lines that
 * `next` has returned, in hexadecimal, and must be called only once.
 */
export type Lines = { next: () => Promise<Buffer | null>; close: () => void; digest: () => string };

/** Opens a compressed file, which can be larger than the available memory. `next` adds each line to `hash`. */
export function openLines(path: string, kind: FileKind, hash: Digest): Lines {
  const file = createReadStream(path);
  const text = file.on('error', (error) => text.destroy(error)).pipe(createGunzip());
  const lines = splitLines(text, path, kind);
  let open: Digest | null = hash;
  return {
    digest: () => {
      const digest = open?.digest('hex') ?? '';
      open = null;
      return digest;
    },
    next: async () => {
      const { value, done } = await lines.next().catch((error: unknown) => {
        throw readProblem(path, kind, error);
      });
      if (done) return null;
      open?.update(value);
      open?.update(NEWLINE);
      return value;
    },
    close: () => {
      file.destroy();
      text.destroy();
    },
  };
}

/** Bytes. The rows in backups and exports are far shorter. */
const MAX_LINE = 16 * 1024 * 1024;

const MAX_NOT_A_ROW_BYTES = 128 * 1024;

/** Returns the text of a line that is not a row, or an empty text, which is never valid, if it is too long. */
export function textOf(line: Buffer | null): string {
  return line === null || line.length > MAX_NOT_A_ROW_BYTES ? '' : line.toString();
}

/** Yields the lines of a text without their line breaks. @throws StartError if a line is longer than 16 MiB. */
export async function* splitLines(text: AsyncIterable<Buffer>, path: string, kind: FileKind): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  const take = (piece: Buffer) => {
    pieces.push(piece);
    length += piece.length;
    if (length > MAX_LINE)
      throw new StartError(
        `${path} has a line of more than 16 MiB, so it is damaged or is not ${ARTICLE[kind]} of this system.`,
      );
  };
  for await (const chunk of text) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, end));
      yield pieces.length > 1 ? Buffer.concat(pieces) : chunk.subarray(from, end);
      pieces = [];
      length = 0;
      from = end + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (length > 0) yield Buffer.concat(pieces);
}

const ARTICLE = { backup: 'a backup', export: 'an export' } as const;

function readProblem(path: string, kind: FileKind, error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'EISDIR')
    return new StartError(`The ${kind} ${path} does not exist or is a directory.`);
  if (code === 'EACCES' || code === 'EPERM') return new StartError(`No permission to read ${path}.`);
  return code.startsWith('Z_') ? damagedFile(path, kind) : error;
}

/** Returns the error for a file that is not of the given kind, is incomplete, or was changed. */
export function damagedFile(path: string, kind: FileKind): StartError {
  return new StartError(`${path} is damaged or is not ${ARTICLE[kind]} of this system.`);
}
