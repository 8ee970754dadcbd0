'use client';

import { createContext, useContext } from 'react';
import type { AcceptedMedia } from '@/lib/core/media/media-rules';

const Accepted = createContext<AcceptedMedia>('mp4');

/** Files that this server takes, by its setting ACCEPT_MEDIA. */
export const AcceptedMediaProvider = Accepted.Provider;

export const useAcceptedMedia = (): AcceptedMedia => useContext(Accepted);
