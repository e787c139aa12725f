/** Why something cannot start, as one clear sentence for the person who started it; no stack trace helps them. */
export class StartError extends Error {}

/** Returns the sentence for a file system failure that people can mend, or null for any other error. */
export function fileProblem(error: unknown, what: string): StartError | null {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const subject = what.charAt(0).toUpperCase() + what.slice(1);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StartError(`The disk is full: ${what} cannot be written.`);
  if (code === 'EACCES' || code === 'EPERM') return new StartError(`No permission to write ${what}.`);
  if (code === 'EROFS') return new StartError(`${subject} is on a read-only file system.`);
  if (code === 'ENOTDIR' || code === 'EEXIST') return new StartError(`${subject} is not a directory.`);
  if (code === 'ENOENT') return new StartError(`${subject} cannot be created there.`);
  return null;
}
