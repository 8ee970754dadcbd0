'use client';

import { createContext, useContext } from 'react';

const Languages = createContext<readonly string[]>([]);

/** Languages whose speech this server recognises, by its setting STT_LANGUAGES; none without a model. */
export const SpeechLanguagesProvider = Languages.Provider;

export const useSpeechLanguages = (): readonly string[] => useContext(Languages);
