import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = ['scripts', 'lib/operations', 'lib/platform'];

function sources(): string {
  const paths = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.m?ts$|\.mjs$/.test(name) && !name.startsWith('generated'))
      .map((name) => join(folder, name)),
  );
  return paths.map((path) => readFileSync(path, 'utf8')).join('\n');
}

test('the messages of a refused start are those that a start prints', () => {
  const page = readFileSync('docs/troubleshooting.md', 'utf8');
  const [, section = ''] = /^## The server does not start\n([\s\S]*?)^## /m.exec(page) ?? [];
  const messages = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message = '']) => message);
  expect(messages.length).toBeGreaterThanOrEqual(6);
  const text = sources();
  for (const message of messages)
    for (const part of message.split('…').map((one) => one.trim())) expect(text, message).toContain(part);
});
