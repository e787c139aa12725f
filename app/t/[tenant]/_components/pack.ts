/** Compresses a document with gzip and returns it as base64, so that a larger document fits into a request. */
export async function pack(document: Blob): Promise<string> {
  const stream = document.stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const pieces: string[] = [];
  // `fromCharCode` accepts only a limited number of arguments.
  for (let start = 0; start < bytes.length; start += 8_192)
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + 8_192)));
  return btoa(pieces.join(''));
}
