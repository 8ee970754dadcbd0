import compile from 'icu-minify/compile';
import type { ReactNode } from 'react';
import { createTranslator } from 'use-intl/core';
import { MessagesProvider, type Translator, type MessageNamespace } from '@/components/i18n/messages';
import { catalogueOf } from '@/messages';
import type { Area, Catalogue } from '@/messages/catalogue';
import { sourceLanguage, type Language } from '@/messages/languages';
import { getLanguage } from './language';

/** Texts of pages, compiled so that the browser needs no message parser (ADR 32). */

type Text = string | { readonly [key: string]: Text };

/** Compiled messages are strings or arrays, which use-intl's types do not know. */
function compileText(text: Text): Text {
  // A compiled plural is an object without a prototype, which React does not send to the browser: the clone has one.
  if (typeof text === 'string') return structuredClone(compile(text)) as Text;
  return Object.fromEntries(Object.entries(text).map(([key, inner]) => [key, compileText(inner)]));
}

const compiledAreas = new Map<string, Text>();

function getCompiledArea(language: Language, name: Area): Text {
  const key = `${language} ${name}`;
  const compiledArea = compiledAreas.get(key) ?? compileText(catalogueOf(language)[name]);
  compiledAreas.set(key, compiledArea);
  return compiledArea;
}

/** The messages of some areas, in the type that use-intl expects. */
const selectMessages = (language: Language, names: readonly Area[]): Catalogue =>
  Object.fromEntries(
    names
      .filter((name) => !needsNoCatalogue(language, name))
      .map((name) => [name, getCompiledArea(language, name)]),
  ) as unknown as Catalogue;

/** Whether an area needs no catalogue: the service writes its reasons in English itself. */
const needsNoCatalogue = (language: Language, name: Area): boolean =>
  language === sourceLanguage && name === 'reasons';

/** Translator for server-rendered text such as page titles. Components use useTranslations. */
export async function getTranslations<Name extends MessageNamespace>(
  namespace: Name,
): Promise<Translator<Name>> {
  const language = await getLanguage();
  const [name] = namespace.split('.') as [Area];
  return createTranslator({ locale: language, messages: selectMessages(language, [name]), namespace });
}

interface AreaMessagesProviderProps {
  /** Message areas of the page. Only these are sent to the browser. */
  areas: readonly Area[];
  children: ReactNode;
}

/** Provides messages to the components below. An inner provider replaces an outer one. */
export async function AreaMessagesProvider({ areas: names, children }: AreaMessagesProviderProps) {
  const language = await getLanguage();
  return (
    <MessagesProvider language={language} messages={selectMessages(language, names)}>
      {children}
    </MessagesProvider>
  );
}
