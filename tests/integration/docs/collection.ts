import { randomUUID } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';

type Item = {
  name: string;
  event: { listen: 'prerequest' | 'test'; script: { exec: string[] } }[];
  request: {
    method: string;
    header: { key: string; value: string }[];
    url: { raw: string };
    body?: { raw: string };
  };
};

/** The parts of a Postman collection that `runCollection` uses. */
export type Collection = { variable: { key: string; value: string }[]; item: Item[] };

/** Postman's sandbox declares these names. A script that declares one of them again fails with a syntax error. */
const LEGACY = 'const [data, request, responseBody, environment, globals, iteration, tests] = [];';

/**
 * Runs a Postman collection in order, as Newman does. Provides only the part of Postman's API that the collection uses.
 * Any other use throws an error.
 * @returns the names of the passed tests, by request
 */
export async function runCollection({ variable, item }: Collection, apiKey: string): Promise<Record<string, string[]>> {
  const variables = new Map(variable.map(({ key, value }) => [key, value]));
  variables.set('api_key', apiKey);
  const passed: Record<string, string[]> = {};
  const filled = (text: string) =>
    text.replaceAll(/\{\{(\$?\w+)\}\}/g, (_, name: string) => {
      if (name === '$guid') return randomUUID();
      const value = variables.get(name);
      if (value === undefined) throw new Error(`The variable ${name} has no value.`);
      return value;
    });
  for (const { name, event, request } of item) {
    const names: string[] = [];
    const script = (listen: string, response?: { status: number; body: unknown }) => {
      const pm = {
        collectionVariables: {
          get: (key: string) => variables.get(key),
          set: (key: string, value: string) => variables.set(key, value),
        },
        test: (title: string, holds: () => void) => {
          holds();
          names.push(title);
        },
        expect: (value: unknown) => ({ to: { eql: (other: unknown) => expect(value, name).toEqual(other) } }),
        response: {
          code: response?.status,
          json: () => response?.body,
          to: { have: { status: (status: number) => expect(response?.status, name).toBe(status) } },
        },
      };
      const lines = event.filter((one) => one.listen === listen).flatMap((one) => one.script.exec);
      if (lines.length > 0) runInNewContext([LEGACY, ...lines].join('\n'), { pm });
    };
    script('prerequest');
    const headers = Object.fromEntries(request.header.map(({ key, value }) => [key, filled(value)]));
    const response = await fetch(filled(request.url.raw), {
      method: request.method,
      headers: { ...headers, Authorization: `Bearer ${apiKey}` },
      body: request.body && filled(request.body.raw),
    });
    script('test', { status: response.status, body: await response.json() });
    passed[name] = names;
  }
  return passed;
}
