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

/** Translates messages of one namespace; the type of useTranslations' result, for functions that return texts. */
export type Translator<Name extends MessageNamespace> = ReturnType<typeof useTranslations<Name>>;

interface MessagesProviderProps {
  language: Language;
  /** Messages for the components below. app/messages.tsx compiles them; tests pass the source texts. */
  messages: Partial<AnyCatalogue>;
  children: ReactNode;
}

/** Provides texts to the components below: `useTranslations('area')` of use-intl. */
export function MessagesProvider({ language, messages, children }: MessagesProviderProps) {
  return (
    // use-intl requires a time zone, but formats no times here: components/ui/time does, in the zone of the time settings.
    <IntlProvider locale={language} messages={messages as Catalogue} timeZone="UTC">
      {children}
    </IntlProvider>
  );
}
