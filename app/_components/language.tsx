'use client';

import { createContext, type ReactNode, useContext } from 'react';
import {
  IntlProvider,
  type NamespaceKeys,
  type NestedKeyOf,
  useLocale,
  useMessages,
  type useTranslations,
} from 'use-intl';
import type { Catalog } from '@/lib/control-center/messages/catalog';
import { type Formats, formatsOf } from '@/lib/platform/text/formats';
import type { HourCycle, Language } from '@/lib/platform/text/languages';

/** What `useTranslations` returns for a namespace, for functions that are not components. */
export type Translator<Part extends NamespaceKeys<Catalog, NestedKeyOf<Catalog>>> = ReturnType<
  typeof useTranslations<Part>
>;

const HourCycleContext = createContext<HourCycle>('h23');

type LanguageProps = { language: Language; hourCycle: HourCycle; messages: Partial<Catalog>; children: ReactNode };

/** Provides the language and the clock of the reader, and the messages that all pages need. */
export function LanguageProvider({ language, hourCycle, messages, children }: LanguageProps) {
  return (
    <HourCycleContext value={hourCycle}>
      <IntlProvider locale={language} messages={messages as Catalog} timeZone="UTC">
        {children}
      </IntlProvider>
    </HourCycleContext>
  );
}

/** Adds the messages of a part of the pages to those around it. */
export function MessagesProvider({ messages, children }: { messages: Partial<Catalog>; children: ReactNode }) {
  const around = useMessages();
  return (
    <IntlProvider locale={useLocale()} messages={{ ...around, ...messages }} timeZone="UTC">
      {children}
    </IntlProvider>
  );
}

/** Returns the reader's formats of numbers, dates, and lists. */
export function useFormats(): Formats {
  return formatsOf(useLocale(), useContext(HourCycleContext));
}
