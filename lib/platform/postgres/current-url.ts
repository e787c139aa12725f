import { env } from '../env';
import { log } from '../log';
import { fileNameOf, readSettingFile } from '../setting-files';
import { isDatabaseUrl } from './hosts';

type UrlSetting = 'DATABASE_URL' | 'DIRECT_DATABASE_URL';

/** Returns DATABASE_URL. A file is read again, so that a changed password needs no restart. */
export function currentDatabaseUrl(): string {
  return fromFile('DATABASE_URL') ?? env().DATABASE_URL;
}

/** Returns DIRECT_DATABASE_URL, or DATABASE_URL if it is not set. A file is read again. */
export function currentDirectUrl(): string {
  return fromFile('DIRECT_DATABASE_URL') ?? env().DIRECT_DATABASE_URL ?? currentDatabaseUrl();
}

/** Undefined if there is no file, or it is not valid at the moment. */
function fromFile(name: UrlSetting): string | undefined {
  const path = process.env[fileNameOf(name)];
  if (!path) return undefined;
  try {
    const url = readSettingFile(fileNameOf(name), path);
    if (isDatabaseUrl(url)) return url;
    log().warn(`${fileNameOf(name)} contains no postgresql:// URL, so the URL that was read at startup remains in use`);
  } catch (error) {
    log().warn(
      { err: error },
      `${fileNameOf(name)} cannot be read, so the URL that was read at startup remains in use`,
    );
  }
  return undefined;
}
