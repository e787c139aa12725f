import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import { hashKeyFor } from '@/lib/platform/secrets';
import type { Counts } from '../backup/format';
import { textOf } from '../backup/lines';

// An export is compressed text in one of two formats. A sealed export is like a backup, and encrypted columns remain
// encrypted. A readable export contains one JSON object per line, with contacts decrypted and without credentials. In
// both, the last line is the signature of everything before it.

const FIRST = '-- partner-booking tenant ';
const LAST = '-- signature ';

const text = boundedText(1_000);

const headerSchema = z.object({
  format: z.literal(1),
  environment: z.enum(['TEST', 'LIVE']),
  readable: z.boolean(),
  tenant: z.object({ id: text, name: text }),
  /** Of the secret with which the sealed columns are encrypted. */
  secrets_fingerprint: text,
  /** Of the keys with which stored hashes are made. */
  hash_keys_fingerprint: text,
  migrations: z.array(text).max(10_000),
  created_at: text.check(z.iso.datetime()),
  /** Shows which deployment made the file, but proves nothing: whoever changes the file can replace it. */
  signer: text,
});

/** The first line of an export. */
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

/** Returns whether this line contains the number of rows per table. The next line is the signature. */
export function isCountsLine(readable: boolean, line: Buffer): boolean {
  return line.subarray(0, 7).toString() === (readable ? '{"end":' : '-- end ');
}

/** Parses the last line of an export. Returns the signature, or null. */
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

/** Returns a fingerprint. Two deployments with the same SECRET_KEY can differ, because a rotation keeps these keys. */
export function hashKeysFingerprint(): string {
  return createHmac('sha256', hashKeyFor('api-key')).update('fingerprint').digest('hex');
}
