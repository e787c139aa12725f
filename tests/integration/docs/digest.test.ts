import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sampleFile, samplePath } from '@/lib/contract/docs/samples';
import { ROOT } from './blocks';
import { copyFiles, runFile, testedLanguages } from './languages';
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
    echo PartnerBooking\\Digest::ofDay($one['bookings']), "\\n";
}
`,
  go: `package main

import (
	"encoding/json"
	"fmt"
	"os"

	"booking/partnerbooking"
)

func main() {
	var all []struct{ Bookings []partnerbooking.Kept }
	text, _ := os.ReadFile(os.Args[1])
	json.Unmarshal(text, &all)
	for _, one := range all {
		fmt.Println(partnerbooking.DayHash(one.Bookings))
	}
}
`,
  java: `import java.nio.file.Files;
import java.nio.file.Path;
import partnerbooking.Digest;
import partnerbooking.Json;
import partnerbooking.Partner;

final class Digests {
    public static void main(String[] args) throws Exception {
        for (var one : Partner.listOf(Json.parse(Files.readString(Path.of(args[0])))))
            System.out.println(Digest.ofDay(Partner.listOf(one.get("bookings"))));
    }
}
`,
  cs: `using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using PartnerBooking;

static class Digests
{
    static void Main(string[] args)
    {
        foreach (var one in ((List<object>)Json.Parse(File.ReadAllText(args[0]))).Select(Partner.ObjectOf))
            Console.WriteLine(Digest.OfDay(Partner.ListOf(one, "bookings")));
    }
}
`,
};

type Vector = { bookings: { reference: string; version: number }[]; hash: string };

/** Runs the program in a directory with the files that `place` writes. */
async function hashesOf(
  extension: string,
  place: (cwd: string) => Promise<void>,
  run: (cwd: string, main: string) => Promise<{ stdout: string }>,
): Promise<string[]> {
  const cwd = await mkdtemp(join(tmpdir(), 'digest-'));
  const main = sampleFile('digests', extension);
  try {
    await place(cwd);
    await writeFile(join(cwd, main), MAINS[extension] ?? '');
    return (await run(cwd, main)).stdout.trim().split('\n');
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}

async function published(): Promise<{ vectors: Vector[]; expected: string[] }> {
  const vectors = JSON.parse(await readFile(VECTORS, 'utf8')) as Vector[];
  return { vectors, expected: vectors.map(({ hash }) => hash) };
}

test(
  'the sample in TypeScript computes the published hashes of a digest',
  async () => {
    const { vectors, expected } = await published();
    const lines = ({ bookings }: Vector) => bookings.map(({ reference, version }) => `${reference}:${version}\n`);
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(vectors.map((one) => sha256(lines(one).sort().join('')))).toEqual(expected);
    const node = (cwd: string, main: string) => promisify(execFile)(process.execPath, [TSX, main, VECTORS], { cwd });
    const typescript = (cwd: string) => copyFile(join(ROOT, samplePath('digest.ts')), join(cwd, 'digest.ts'));
    expect(await hashesOf('ts', typescript, node)).toEqual(expected);
  },
  TIMEOUT,
);

test.each(testedLanguages('the hashes of a digest'))(
  'the sample in $name computes the published hashes of a digest',
  async (language) => {
    const [command = '', ...args] = language.run;
    const place = (cwd: string) => copyFiles(language, cwd, false);
    const run = (cwd: string, main: string) => runFile(command, [...args, main, VECTORS], { cwd, timeout: TIMEOUT });
    expect(await hashesOf(language.extension, place, run)).toEqual((await published()).expected);
  },
  TIMEOUT,
);
