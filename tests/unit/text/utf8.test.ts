import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { unpack } from '@/lib/booking/catalog/transfer/json';
import { decodeUtf8 } from '@/lib/platform/text/utf8';

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

test.for(['', 'Maniküre – Züge', '{"a":\n"𠮷"}\n'])('decodes %j', (text) => {
  expect(decodeUtf8(Buffer.from(text))).toEqual({ text });
  expect(decodeUtf8(bytes([0xef, 0xbb, 0xbf], text))).toEqual({ text });
});

test.for([
  ['Windows-1252', bytes('{"name":\n"Manik', [0xfc], 're"}'), { line: 2, byte: 16 }],
  ['a lone continuation byte at the start', bytes([0x80], 'x'), { line: 1, byte: 1 }],
  ['an overlong form', bytes('a\nb\n', [0xc0, 0xaf]), { line: 3, byte: 5 }],
  ['a surrogate', bytes('x', [0xed, 0xa0, 0x80]), { line: 1, byte: 2 }],
  ['UTF-16', bytes([0xff, 0xfe, 0x7b, 0]), { line: 1, byte: 1 }],
] as const)('names the place of %s', ([, given, place]) => {
  expect(decodeUtf8(given)).toEqual(place);
});

test('names the place of a character that the file does not complete', () => {
  expect(decodeUtf8(bytes('ab\nü').subarray(0, 4))).toEqual({ line: 2, byte: 4 });
});

test('names the first byte of every character that is broken off at its end or by another one', () => {
  for (const character of ['ü', '€', '𠮷', '\ufeff']) {
    const whole = Buffer.from(character);
    for (let kept = 1; kept < whole.length; kept += 1) {
      const broken = [...whole.subarray(0, kept)];
      for (const before of ['', 'a', 'ab\nü'])
        for (const after of ['', 'b', 'ü'])
          expect(decodeUtf8(bytes(before, broken, after)), `${before} ${broken} ${after}`).toEqual({
            line: before.split('\n').length,
            byte: Buffer.from(before).length + 1,
          });
    }
  }
});

test('a packed document that is not UTF-8 is refused with line and byte', async () => {
  const packed = gzipSync(bytes('{\n"n": "M', [0xfc], '"}')).toString('base64');
  await expect(unpack(packed)).rejects.toMatchObject({
    code: 'invalid_request',
    fields: [{ path: 'packed', message: 'is not UTF-8: line 2, byte 10 of the file. Save it as UTF-8' }],
  });
});
