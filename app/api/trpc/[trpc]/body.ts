/** Bytes of a call: the longest policy is a tenth of it. Whoever is signed in must not keep the server busy reading. */
const MAX_BODY = 256 * 1024;
/** A catalog, as text within JSON; the edge lets no more through. */
const MAX_IMPORT = 4 * 1024 * 1024;

/**
 * Returns a call with its body read, or null when that is larger than what its procedures are sent; the rest is not
 * read then.
 */
export async function boundedCall(request: Request): Promise<Request | null> {
  if (!request.body) return request;
  const paths = decodeURIComponent(new URL(request.url).pathname.split('/').at(-1) ?? '').split(',');
  const limit = paths.every((path) => path.startsWith('catalog.transfer.')) ? MAX_IMPORT : MAX_BODY;
  if (Number(request.headers.get('content-length') ?? 0) > limit) return null;
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    size += piece.value.length;
    if (size > limit) return null;
    pieces.push(piece.value);
  }
  const { url, method, headers, signal } = request;
  return new Request(url, { method, headers, signal, body: Buffer.concat(pieces) });
}
