import { z } from 'zod';
import { unpack } from '@/lib/booking/catalog/transfer/json';
import { boundedText } from '@/lib/contract/bounded-text';

/** The maximum size of a request body with an import, which the edge checks first. */
const MAX_TEXT = 4 * 1024 * 1024;

/**
 * A document as text, or packed with gzip and base64. A request body has at most 4 MiB, so a large document must be
 * packed. `readJson` and `unpack` limit the size of the document after it is unpacked.
 */
export const document = {
  text: boundedText(MAX_TEXT).optional(),
  packed: boundedText(MAX_TEXT).check(z.base64('must be base64')).optional(),
};
/** Returns the text of a document. @throws AppError invalid_request like `unpack`. */
export const textOf = async ({ text, packed }: { text?: string | undefined; packed?: string | undefined }) =>
  packed === undefined ? (text ?? '') : await unpack(packed);
