import compile from 'icu-minify/compile';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { cache, type ReactNode } from 'react';
import { createTranslator, type NamespaceKeys, type NestedKeyOf } from 'use-intl/core';
import { currentReader } from '@/app/_session';
import type { Catalog, Namespace } from '@/lib/control-center/messages/catalog';
import { browserLanguage } from '@/lib/platform/text/browser-language';
import type { HourCycle, Language } from '@/lib/platform/text/languages';
import { LanguageProvider, MessagesProvider, type Translator } from './language';

/** Returns the language and the clock of the current request: those that the person chose, or else those of the browser. */
export const currentLanguage = cache(async (): Promise<{ language: Language; hourCycle: HourCycle }> => {
  // A page that says that the database cannot be reached has a language, too.
  const [chosen, given] = await Promise.all([currentReader().catch(() => null), headers()]);
  const language = chosen?.language ?? browserLanguage(given.get('accept-language'));
  return { language, hourCycle: chosen?.hourCycle ?? 'h23' };
});

type Texts = { [key: string]: string | Texts };

type CompiledTexts = { [key: string]: ReturnType<typeof compile> | CompiledTexts };

/** By language and namespace. */
const compiled = new Map<string, CompiledTexts>();

function compileTexts(texts: Texts): CompiledTexts {
  const compileText = (text: Texts[string]) =>
    // The options of a plural have no prototype. React passes only objects with one to the browser.
    typeof text === 'string' ? structuredClone(compile(text)) : compileTexts(text);
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, compileText(text)]));
}

/** Returns compiled messages: what `next.config.mjs` leaves of use-intl formats them, and cannot parse messages. */
async function messagesIn(language: Language, namespaces: readonly Namespace[]): Promise<Partial<Catalog>> {
  const loaded = namespaces.map(async (namespace) => {
    const name = `${language}/${namespace}`;
    const texts =
      compiled.get(name) ?? compileTexts((await import(`@/lib/control-center/messages/${name}.json`)).default);
    compiled.set(name, texts);
    return [namespace, texts] as const;
  });
  return Object.fromEntries(await Promise.all(loaded)) as Partial<Catalog>;
}

/** Provides the language of the current request and the messages of some namespaces. */
export async function InLanguage({ of, children }: { of: readonly Namespace[]; children: ReactNode }) {
  const { language, hourCycle } = await currentLanguage();
  return (
    <LanguageProvider {...{ language, hourCycle }} messages={await messagesIn(language, of)}>
      {children}
    </LanguageProvider>
  );
}

/** Adds the messages of some namespaces to a part of the pages. */
export async function Messages({ of, children }: { of: readonly Namespace[]; children: ReactNode }) {
  const { language } = await currentLanguage();
  return <MessagesProvider messages={await messagesIn(language, of)}>{children}</MessagesProvider>;
}

/** Returns the layout of a section, which adds the messages of its pages. */
export function messagesLayout(...of: Namespace[]) {
  return ({ children }: { children: ReactNode }) => Messages({ of, children });
}

/** Returns the translator of a namespace, or of a part of one, in the language of the current request. */
export async function translator<Part extends NamespaceKeys<Catalog, NestedKeyOf<Catalog>>>(
  part: Part,
): Promise<Translator<Part>> {
  const { language } = await currentLanguage();
  const [namespace] = String(part).split('.') as [Namespace];
  const messages = (await messagesIn(language, [namespace])) as Catalog;
  return createTranslator({ locale: language, messages, namespace: part }) as Translator<Part>;
}

/** Returns the `generateMetadata` of a page whose title is a message. */
export function pageTitle<Part extends NamespaceKeys<Catalog, NestedKeyOf<Catalog>>>(
  part: Part,
  key: Parameters<Translator<Part>>[0],
) {
  return async (): Promise<Metadata> => {
    const t = (await translator(part)) as unknown as (key: unknown) => string;
    return { title: t(key) };
  };
}
