import { StartError } from '@/lib/platform/postgres/start-error';
import { writingSecret } from '@/lib/platform/secrets';
import { damagedFile, type Lines, openLines } from '../backup/lines';
import { type ExportHeader, isCountsLine, parseExportHeader, parseSignature } from './export-format';
import { beginDigest, isSignedBy, signerOf } from './signature';

/**
 * Reads an export with `work` and then verifies its signature, by default with the key of this deployment. `work` reads
 * up to the line with the numbers of rows, and must not make permanent changes before the verification.
 * @throws StartError if the file is damaged or is not an export, or if another deployment signed it.
 */
export async function readExport(
  path: string,
  publicKey = signerOf(writingSecret()).publicKey,
  work: (header: ExportHeader, lines: Lines) => Promise<void> = skipRows(path),
): Promise<ExportHeader> {
  const lines = openLines(path, 'export', beginDigest());
  try {
    const header = parseExportHeader(await lines.next());
    if (!header) throw damagedFile(path, 'export');
    if (header.signer !== publicKey)
      throw new StartError(`${path} was signed by another deployment or with another SECRET_KEY (${header.signer}).`);
    await work(header, lines);
    const digest = Buffer.from(lines.digest(), 'hex');
    const signature = parseSignature(header.readable, await lines.next());
    if (signature === null || !isSignedBy(publicKey, digest, signature) || (await lines.next()) !== null)
      throw damagedFile(path, 'export');
    return header;
  } finally {
    lines.close();
  }
}

function skipRows(path: string) {
  return async ({ readable }: ExportHeader, lines: Lines): Promise<void> => {
    for (let line = await lines.next(); ; line = await lines.next()) {
      if (line === null) throw damagedFile(path, 'export');
      if (isCountsLine(readable, line)) return;
    }
  };
}

/** Like `readExport`, but only verifies the signature and skips the rows. */
export function verifyExport(path: string, publicKey?: string): Promise<ExportHeader> {
  return readExport(path, publicKey);
}
