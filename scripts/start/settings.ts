import { createServer } from 'node:net';
import { parseSettings, SettingsError } from '@/lib/platform/env';
import { StartError } from '@/lib/platform/postgres/start-error';

export type StartSettings = ReturnType<typeof parseSettings> & { DATA_DIR: string };

/**
 * Returns the settings from the environment variables, with a default for DATA_DIR.
 * @throws StartError that names every invalid setting
 */
export function readSettings(): StartSettings {
  try {
    const settings = parseSettings(process.env);
    return { ...settings, DATA_DIR: settings.DATA_DIR ?? `.data/${settings.ENVIRONMENT}` };
  } catch (error) {
    if (error instanceof SettingsError) throw new StartError(error.message);
    throw error;
  }
}

/** Runs before the build, so that the error appears early. @throws StartError if the port cannot be used */
export async function refuseTakenPort({ HOST, PORT }: StartSettings): Promise<void> {
  const code = await new Promise<string | null>((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen({ port: PORT, host: HOST }, () => probe.close(() => resolve(null)));
  });
  if (code === null) return;
  if (code === 'EADDRINUSE')
    throw new StartError(`Port ${PORT} is already in use. Stop the process that uses it, or set PORT to another port.`);
  if (code === 'EACCES')
    throw new StartError(`This user is not allowed to use port ${PORT}. Set PORT to a port above 1023.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    throw new StartError('HOST is not an address of this machine. Set HOST to an address such as 127.0.0.1.');
  throw new StartError(`Port ${PORT} cannot be used (${code}).`);
}
