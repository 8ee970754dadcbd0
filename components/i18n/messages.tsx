'use client';

import type { ReactNode } from 'react';
import {
  IntlProvider,
  type Messages,
  type NamespaceKeys,
  type NestedKeyOf,
  type useTranslations,
} from 'use-intl';
import type { AnyCatalogue, Catalogue } from '@/messages/catalogue';
import type { Language } from '@/messages/languages';

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: Catalogue;
  }
}

/** A part of the catalogue: 'settings' or 'settings.language'. */
export type MessageNamespace = NamespaceKeys<Messages, NestedKeyOf<Messages>>;

/** Translates the messages of one part: what useTranslations returns, and what functions that make words are given. */
export type Translator<Name extends MessageNamespace> = ReturnType<typeof useTranslations<Name>>;

interface MessagesProviderProps {
  language: Language;
  /** What the components below may ask for. app/messages.tsx compiles it, tests give it as it is written. */
  messages: Partial<AnyCatalogue>;
  children: ReactNode;
}

/** Gives the components below it their texts: `useTranslations('area')` of use-intl. */
export function MessagesProvider({ language, messages, children }: MessagesProviderProps) {
  return (
    // Times are written by components/ui/time, in the time zone of its settings.
    <IntlProvider locale={language} messages={messages as Catalogue} timeZone="UTC">
      {children}
    </IntlProvider>
  );
}
