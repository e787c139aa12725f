import { closeSync, openSync, readSync } from 'node:fs';

/** The error for invalid or missing settings. The message never contains their values. */
export class SettingsError extends Error {}

/**
 * Settings that contain secrets. Container platforms provide secrets as files. An operator can therefore set, for
 * example, `SECRET_KEY_FILE` to the path of a file that contains the value of `SECRET_KEY`.
 */
export const FILE_SETTINGS = [
  'DATABASE_URL',
  'DIRECT_DATABASE_URL',
  'MIGRATION_DATABASE_URL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'METRICS_TOKEN',
  'OIDC_CLIENT_SECRET',
  'INNGEST_EVENT_KEY',
  'INNGEST_SIGNING_KEY',
  'INNGEST_SIGNING_KEY_FALLBACK',
] as const;

type FileSetting = (typeof FILE_SETTINGS)[number];

/**
 * Returns the name of the setting that contains the path of the file with the value of `name`: `SECRET_KEY_FILE` for
 * `SECRET_KEY`.
 */
export const fileNameOf = (name: FileSetting) => `${name}_FILE` as const;

/** Maximum size of a file in bytes. */
const MAX_BYTES = 16 * 1024;

/**
 * Reads a file with the value of a setting, without the line break at its end.
 * @param name the setting that contains the path, for the error message
 * @throws SettingsError if the file cannot be read, is empty, or is too large
 */
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
