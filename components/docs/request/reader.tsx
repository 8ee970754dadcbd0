'use client';

import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import type { SampleLanguage } from '@/components/docs/samples/samples';
import { useReaderKey } from './reader-key';
import { storeSampleLanguage } from './reader-language';

interface Reader {
  readonly signedIn: boolean;
  /** Public URL of the API. */
  readonly baseUrl: string;
  readonly language: SampleLanguage;
  readonly setLanguage: (language: SampleLanguage) => void;
  /** The API key of the reader; empty without one. */
  readonly key: string;
  readonly setKey: (key: string) => void;
  /** Entered ids by path prefix, so that an id entered once fills every operation of its object. */
  readonly ids: Readonly<Record<string, string>>;
  readonly setId: (path: string, id: string) => void;
}

const ReaderContext = createContext<Reader | null>(null);

interface ReaderProviderProps {
  /** Email address of the account; null for a visitor. */
  account: string | null;
  baseUrl: string;
  language: SampleLanguage;
  children: ReactNode;
}

/** Preferences and input of the reader, shared by all pages of the reference. */
export function ReaderProvider({
  account,
  baseUrl,
  language: initialLanguage,
  children,
}: ReaderProviderProps) {
  const [language, setCurrentLanguage] = useState(initialLanguage);
  const [ids, setIds] = useState<Readonly<Record<string, string>>>({});
  const [key, setKey] = useReaderKey(account);
  const setLanguage = useCallback((next: SampleLanguage) => {
    setCurrentLanguage(next);
    storeSampleLanguage(next);
  }, []);
  const setId = useCallback(
    (path: string, id: string) => setIds((previousIds) => ({ ...previousIds, [path]: id })),
    [],
  );
  const reader = useMemo(
    () => ({ signedIn: account !== null, baseUrl, language, setLanguage, key, setKey, ids, setId }),
    [account, baseUrl, language, setLanguage, key, setKey, ids, setId],
  );
  return <ReaderContext value={reader}>{children}</ReaderContext>;
}

export function useReader(): Reader {
  const reader = useContext(ReaderContext);
  if (!reader) throw new Error('useReader needs a ReaderProvider');
  return reader;
}
