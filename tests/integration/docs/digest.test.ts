import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { samplePath } from '@/lib/contract/docs/samples';
import { ROOT } from './blocks';
import { isInstalled, LANGUAGES, runFile } from './languages';
import { TIMEOUT, TSX } from './place';

const VECTORS = join(ROOT, 'docs/partner/digest-vectors.json');

/** Programs that print the hash of each vector with the function of the sample. */
const MAINS: Record<string, string> = {
  ts: `import { readFileSync } from 'node:fs';
import { dayHash } from './digest.ts';
for (const { bookings } of JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))) console.log(dayHash(bookings));
`,
  py: `import json, sys
from digest import day_hash
for one in json.load(open(sys.argv[1])):
    print(day_hash(one["bookings"]))
`,
  php: `<?php
require __DIR__ . '/digest.php';
foreach (json_decode(file_get_contents($argv[1]), true) as $one) {
    echo dayHash($one['bookings']), "\\n";
}
`,
  go: `package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	var all []struct{ Bookings []kept }
	text, _ := os.ReadFile(os.Args[1])
	json.Unmarshal(text, &all)
	for _, one := range all {
		fmt.Println(dayHash(one.Bookings))
	}
}
`,
};

type Vector = { bookings: { reference: string; version: number }[]; hash: string };

async function hashesOf(extension: string, run: (cwd: string) => Promise<{ stdout: string }>): Promise<string[]> {
  const cwd = await mkdtemp(join(tmpdir(), 'digest-'));
  try {
    await copyFile(join(ROOT, samplePath(`digest.${extension}`)), join(cwd, `digest.${extension}`));
    await writeFile(join(cwd, `main.${extension}`), MAINS[extension] ?? '');
    return (await run(cwd)).stdout.trim().split('\n');
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

test(
  'the samples in all languages compute the published hashes of a digest',
  async () => {
    const vectors = JSON.parse(await readFile(VECTORS, 'utf8')) as Vector[];
    const expected = vectors.map(({ hash }) => hash);
    const lines = ({ bookings }: Vector) => bookings.map(({ reference, version }) => `${reference}:${version}\n`);
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(vectors.map((one) => sha256(lines(one).sort().join('')))).toEqual(expected);
    const node = (cwd: string) => promisify(execFile)(process.execPath, [TSX, 'main.ts', VECTORS], { cwd });
    expect(await hashesOf('ts', node)).toEqual(expected);
    for (const language of LANGUAGES.filter(({ extension }) => extension in MAINS)) {
      if (!(await isInstalled(language))) continue;
      const { extension } = language;
      const [command = '', ...args] = language.run;
      const files = extension === 'go' ? ['main.go', 'digest.go'] : [`main.${extension}`];
      const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
      const run = (cwd: string) => runFile(command, [...args, ...files, VECTORS], { cwd, env, timeout: TIMEOUT });
      expect(await hashesOf(extension, run), language.name).toEqual(expected);
    }
  },
  TIMEOUT,
);
