'use client';

import { createContext, useContext } from 'react';

const Knows = createContext(false);

/** Whether this server finds the country of a viewer, by its setting GEOIP_DB. */
export const KnowsCountriesProvider = Knows.Provider;

export const useKnowsCountries = (): boolean => useContext(Knows);
