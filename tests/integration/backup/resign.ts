import { readFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beginHmac, hmacLine } from '@/lib/operations/backup/format';

/**
 * Returns a modified copy of a backup, with a new HMAC that is computed with `secretKey`. If `secretKey` is null, the
 * copy keeps the original HMAC.
 */
export async function modifiedBackup(
  path: string,
  change: (text: string) => string,
  secretKey: string | null,
): Promise<Buffer> {
  const text = change(gunzipSync(await readFile(path)).toString());
  if (secretKey === null) return gzipSync(text);
  const content = text.replace(/^-- hmac .*\n/m, '');
  const hmac = beginHmac({ environment: 'TEST', secretKey }).update(content);
  return gzipSync(content + hmacLine(hmac).toString());
}
