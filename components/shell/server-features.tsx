'use client';

import { createContext, useContext } from 'react';
import type { AcceptedMedia } from '@/lib/core/media/media-rules';

/** Features of this server, derived from its settings. */
export interface ServerFeatures {
  /** Kinds of files that may be uploaded (`ACCEPT_MEDIA`). */
  readonly acceptMedia: AcceptedMedia;
  /** Whether playback can be limited to countries, which requires a database of IP addresses (`GEOIP_DB`). */
  readonly knowsCountries: boolean;
  /** Languages of speech recognition (`STT_LANGUAGES`); empty without a model. */
  readonly speechLanguages: readonly string[];
}

/** Features of a server with default settings. */
export const defaultFeatures: ServerFeatures = {
  acceptMedia: 'mp4',
  knowsCountries: false,
  speechLanguages: [],
};

const FeaturesContext = createContext(defaultFeatures);

export const ServerFeaturesProvider = FeaturesContext.Provider;

export const useServerFeatures = (): ServerFeatures => useContext(FeaturesContext);
