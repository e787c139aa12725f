/** A failure to start that the operator can resolve. The message is one sentence, shown without a stack trace. */
export class StartError extends Error {}

/** Returns a StartError for a file system error that the operator can resolve, or null. */
export function fileProblem(error: unknown, what: string): StartError | null {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const subject = what.charAt(0).toUpperCase() + what.slice(1);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StartError(`The disk is full: ${what} cannot be written.`);
  if (code === 'EACCES' || code === 'EPERM') return new StartError(`No permission to write ${what}.`);
  if (code === 'EROFS') return new StartError(`${subject} is on a read-only file system.`);
  if (code === 'ENOTDIR' || code === 'EEXIST') return new StartError(`${subject} is not a directory.`);
  if (code === 'ENOENT') return new StartError(`${subject} cannot be created: part of its path does not exist.`);
  return null;
}
