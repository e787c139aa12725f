import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import { hashKeyFor } from '@/lib/platform/secrets';
import type { Counts } from '../backup/format';
import { textOf } from '../backup/lines';

// An export is compressed text. It has one of two formats:
// - A sealed export contains a header, the rows of each table in PostgreSQL's COPY format, and the number of rows per
//   table, as a backup does. Encrypted columns remain encrypted.
// - A readable export contains one JSON object per line. Contacts are decrypted, and credentials are left out.
// In both formats, the last line contains the signature of everything before it.

const FIRST = '-- partner-booking tenant ';
const LAST = '-- signature ';

const text = boundedText(1_000);

const headerSchema = z.object({
  format: z.literal(1),
  environment: z.enum(['TEST', 'LIVE']),
  /** True if the rows are readable JSON, false if they are sealed. */
  readable: z.boolean(),
  tenant: z.object({ id: text, name: text }),
  /** The fingerprint of the secret with which the sealed columns are encrypted. */
  secrets_fingerprint: text,
  /** The fingerprint of the keys with which stored hashes are made. */
  hash_keys_fingerprint: text,
  /** The names of the applied migrations. */
  migrations: z.array(text).max(10_000),
  created_at: text.check(z.iso.datetime()),
  /**
   * The public key that verifies the signature. It shows which deployment made the file, but proves nothing, because
   * whoever changes the file can replace the key.
   */
  signer: text,
});

/** The header of an export, which is its first line. */
export type ExportHeader = z.infer<typeof headerSchema>;

const readableHeader = z.object({ partner_booking_tenant: headerSchema });
const readableLast = z.object({ signature: text });

/** Returns the first line of an export. */
export function exportHeaderLine(header: ExportHeader): Buffer {
  const text = header.readable ? JSON.stringify({ partner_booking_tenant: header }) : FIRST + JSON.stringify(header);
  return Buffer.from(`${text}\n`);
}

/** Returns the line of a readable export that states the number of rows of each table. */
export const readableCountsLine = (counts: Counts) => Buffer.from(`${JSON.stringify({ end: counts })}\n`);

/** Returns the last line of an export, which contains its signature. */
export function signatureLine(readable: boolean, signature: string): Buffer {
  return Buffer.from(`${readable ? JSON.stringify({ signature }) : LAST + signature}\n`);
}

/** Parses the first line of an export. Returns null if it is not valid. */
export function parseExportHeader(line: Buffer | null): ExportHeader | null {
  const text = textOf(line);
  const json = parseJson(text.startsWith(FIRST) ? text.slice(FIRST.length) : text);
  if (text.startsWith(FIRST)) return headerSchema.safeParse(json).data ?? null;
  return readableHeader.safeParse(json).data?.partner_booking_tenant ?? null;
}

/** Returns whether this line of an export contains the number of rows per table. The next line is the signature. */
export function isCountsLine(readable: boolean, line: Buffer): boolean {
  return line.subarray(0, 7).toString() === (readable ? '{"end":' : '-- end ');
}

/** Parses the last line of an export. Returns the signature, or null if the line is not valid. */
export function parseSignature(readable: boolean, line: Buffer | null): string | null {
  const text = textOf(line);
  if (readable) return readableLast.safeParse(parseJson(text)).data?.signature ?? null;
  return text.startsWith(LAST) ? text.slice(LAST.length) : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Returns the fingerprint of the keys for stored hashes. Two deployments with the same SECRET_KEY can have different
 * keys for hashes, because a deployment keeps these keys when its SECRET_KEY is rotated.
 */
export function hashKeysFingerprint(): string {
  return createHmac('sha256', hashKeyFor('api-key')).update('fingerprint').digest('hex');
}
