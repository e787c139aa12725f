/** The maximum size of a call in bytes, about ten times the longest policy. Bounds the work that a member can cause. */
const MAX_BODY = 256 * 1024;
/** The maximum size of a catalog import in bytes, as text in JSON; equal to the limit of the edge. */
const MAX_IMPORT = 4 * 1024 * 1024;

/**
 * Returns the call with its body in memory; null when the body is larger than its procedures allow. The rest of a larger
 * body is not read.
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
