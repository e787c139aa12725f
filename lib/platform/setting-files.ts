import { closeSync, openSync, readSync } from 'node:fs';

/** The message never contains the values of settings. */
export class SettingsError extends Error {}

/** Container platforms provide secrets as files: `SECRET_KEY_FILE` is the path of a file with `SECRET_KEY`. */
export const FILE_SETTINGS = [
  'DATABASE_URL',
  'DIRECT_DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'INNGEST_EVENT_KEY',
  'INNGEST_SIGNING_KEY',
  'INNGEST_SIGNING_KEY_FALLBACK',
] as const;

type FileSetting = (typeof FILE_SETTINGS)[number];

/** Returns the setting with the path of the file: `SECRET_KEY_FILE` for `SECRET_KEY`. */
export const fileNameOf = (name: FileSetting) => `${name}_FILE` as const;

const MAX_BYTES = 16 * 1024;

/** Reads the file of a setting, without its last line break. @throws SettingsError if it is empty or too large. */
export function readSettingFile(name: string, path: string): string {
  const text = readBounded(name, path).replace(/\r?\n$/, '');
  if (text === '') throw new SettingsError(`Invalid setting: the file of ${name} is empty.`);
  return text;
}

function readBounded(name: string, path: string): string {
  const buffer = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  try {
    const file = openSync(path, 'r');
    try {
      for (let read = -1; read !== 0 && length < buffer.length; length += read)
        read = readSync(file, buffer, length, buffer.length - length, null);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new SettingsError(`Invalid setting: the file of ${name} cannot be read (${code}).`);
  }
  if (length > MAX_BYTES)
    throw new SettingsError(`Invalid setting: the file of ${name} must have at most ${MAX_BYTES} bytes.`);
  return buffer.toString('utf8', 0, length);
}

/**
 * Returns the settings in `source`, including those whose values are in files.
 * @throws SettingsError if both a setting and its `_FILE` setting are set, or if `readSettingFile` rejects a file
 */
export function withFiles(source: Record<string, string | undefined>): Record<string, string | undefined> {
  const values = { ...source };
  for (const name of FILE_SETTINGS) {
    const path = source[fileNameOf(name)];
    if (!path) continue;
    if (source[name]) throw new SettingsError(`Invalid setting: set either ${name} or ${fileNameOf(name)}, not both.`);
    values[name] = readSettingFile(fileNameOf(name), path);
  }
  return values;
}
