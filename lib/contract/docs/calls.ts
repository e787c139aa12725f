import type { Operation } from '../operations';
import { sentQuery } from './curl';
import type { Parameter } from './schema-rows';

/** A call in one language: the language of its code block, and the code. */
export type Call = { language: string; code: string };

type Style = {
  word: (value: boolean | null) => string;
  object: (entries: readonly string[], indent: string) => string;
  entry: (name: string, value: string) => string;
};

const lines = (open: string, close: string, comma: string) => (entries: readonly string[], indent: string) =>
  entries.length === 0
    ? open + close
    : `${open}\n${entries.map((one) => `${indent}    ${one}`).join(',\n')}${comma}\n${indent}${close}`;

const STYLES = {
  ts: { word: String, object: lines('{', '}', ','), entry: (name, value) => `${name}: ${value}` },
  python: {
    word: (value) => ({ true: 'True', false: 'False', null: 'None' })[String(value)] ?? '',
    object: lines('{', '}', ','),
    entry: (name, value) => `"${name}": ${value}`,
  },
  php: { word: String, object: lines('[', ']', ','), entry: (name, value) => `'${name}' => ${value}` },
  go: {
    word: (value) => (value === null ? 'nil' : String(value)),
    object: lines('map[string]any{', '}', ','),
    entry: (name, value) => `"${name}": ${value}`,
  },
  java: { word: String, object: lines('Map.of(', ')', ''), entry: (name, value) => `"${name}", ${value}` },
  csharp: {
    word: String,
    object: (entries, indent) => {
      const list = entries.map((one) => `${indent}    ${one}`).join(',\n');
      return `new Dictionary<string, object>${list ? `\n${indent}{\n${list}\n${indent}}` : '()'}`;
    },
    entry: (name, value) => `["${name}"] = ${value}`,
  },
} as const satisfies Record<string, Style>;

/** Returns JSON as a literal. The text of examples has no character that a language reads differently than JSON. */
function literal(value: unknown, style: Style, indent: string): string {
  if (typeof value === 'boolean' || value === null) return style.word(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, part]) => style.entry(name, literal(part, style, `${indent}    `)));
  return style.object(entries, indent);
}

type Given = { operation: Operation; target: string; query: object; reference: string | null; body: unknown };

function typescript({ operation: { id }, query, reference, body }: Given): string {
  const write = (value: unknown) => literal(value, STYLES.ts, '').replaceAll('\n    ', '\n  ').replaceAll('"', "'");
  const parts = [
    ...(reference ? [`'${reference}'`] : []),
    ...(Object.keys(query).length > 0 ? [write(query)] : []),
    ...(body ? [write(body), 'crypto.randomUUID()'] : []),
  ];
  return `import { partnerClient } from './client.ts';

const client = partnerClient({ baseUrl: process.env.API ?? '', apiKey: process.env.API_KEY ?? '' });
const data = await client.${id}(${parts.join(', ')});
console.log(data);`;
}

function python({ operation: { method }, target, body }: Given): string {
  const write = body ? `, ${literal(body, STYLES.python, '')}, str(uuid.uuid4())` : '';
  return `${body ? 'import uuid\n\n' : ''}from partner import Partner

data = Partner.from_environment().call("${method}", "${target}"${write})
print(data)`;
}

function php({ operation: { method }, target, body }: Given): string {
  const write = body ? `, ${literal(body, STYLES.php, '')}, bin2hex(random_bytes(16))` : '';
  return `<?php
require __DIR__ . '/partner.php';

$data = PartnerBooking\\Partner::fromEnvironment()->call('${method}', '${target}'${write});
print_r($data);`;
}

function go({ operation: { method }, target, body }: Given): string {
  const sent = body ? literal(body, STYLES.go, '\t').replaceAll('    ', '\t') : 'nil';
  const key = body ? 'os.Getenv("IDEMPOTENCY_KEY")' : '""';
  const note = '\t// Store the idempotency key of a write with your order, and use it again for each repetition.\n';
  const packages = ['context', 'fmt', 'log', ...(body ? ['os'] : [])].map((name) => `\t"${name}"`);
  return `package main

import (
${packages.join('\n')}

	"booking/partnerbooking"
)

func main() {
	var data map[string]any
${body ? note : ''}	client := partnerbooking.FromEnvironment()
	err := client.Call(context.Background(), "${method}", "${target}", ${sent}, ${key}, &data)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(data)
}`;
}

function java({ operation: { method }, target, body }: Given): string {
  const write = body ? `, ${literal(body, STYLES.java, '        ')}, UUID.randomUUID().toString()` : '';
  return `${body ? 'import java.util.Map;\nimport java.util.UUID;\n' : ''}import partnerbooking.Partner;

final class Example {
    public static void main(String[] args) {
        var data = Partner.fromEnvironment().${method.toLowerCase()}("${target}"${write});
        System.out.println(data);
    }
}`;
}

function csharp({ operation: { method }, target, body }: Given): string {
  const sent = body ? literal(body, STYLES.csharp, '        ') : 'null';
  return `using System;
${body ? 'using System.Collections.Generic;\n' : ''}using PartnerBooking;

static class Example
{
    static void Main()
    {
        ${body ? `var body = ${sent};\n        ` : ''}var call = Partner.FromEnvironment().CallAsync("${method}", "${target}", ${body ? 'body, Guid.NewGuid().ToString()' : 'null, null'});
        Console.WriteLine(Json.Write(call.GetAwaiter().GetResult()));
    }
}`;
}

/** Returns an operation's call in each language that has a client, with the values of the curl command. */
export function callsOf(operation: Operation, parameters: readonly Parameter[], body: unknown): Call[] {
  const exampleOf = (name: string) => String(parameters.find((one) => one.name === name)?.example ?? '');
  const query = Object.fromEntries(sentQuery(parameters).map(({ name, example }) => [name, example]));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  const [, variable = null] = /\{(\w+)\}/.exec(operation.path) ?? [];
  const reference = variable && exampleOf(variable);
  const path = operation.path.replace(/\{\w+\}/, () => reference ?? '');
  const given = { operation, target: path + (search && `?${search}`), query, reference, body };
  return [
    { language: 'ts', code: typescript(given) },
    { language: 'python', code: python(given) },
    { language: 'php', code: php(given) },
    { language: 'go', code: go(given) },
    { language: 'java', code: java(given) },
    { language: 'csharp', code: csharp(given) },
  ];
}
