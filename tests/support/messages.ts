import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createTranslator, type NamespaceKeys, type NestedKeyOf } from 'use-intl/core';
import type { Translator } from '@/app/_components/language';
import type { Catalog } from '@/lib/control-center/messages/catalog';
import type { Language } from '@/lib/platform/text/languages';

const FOLDER = 'lib/control-center/messages';

/** Their keys are English sentences, which only the server reads. */
const OF_SERVER = ['errors.json', 'mails.json'];

/** Returns the messages of all namespaces of pages in a language. */
export function messagesOf(language: Language): Catalog {
  const files = readdirSync(`${FOLDER}/${language}`).filter((file) => !OF_SERVER.includes(file));
  const read = (file: string) => JSON.parse(readFileSync(`${FOLDER}/${language}/${file}`, 'utf8'));
  return Object.fromEntries(files.map((file) => [basename(file, '.json'), read(file)])) as Catalog;
}

/** Returns the translator of a namespace, or of a part of one. A missing message throws. */
export function translatorFor<Part extends NamespaceKeys<Catalog, NestedKeyOf<Catalog>>>(
  language: Language,
  part: Part,
): Translator<Part> {
  const onError = (error: Error) => {
    throw error;
  };
  const messages = messagesOf(language);
  return createTranslator({ locale: language, messages, namespace: part, onError }) as Translator<Part>;
}
