import { CountryDatabase } from './country-database';

const openDatabases = new Map<string, CountryDatabase>();

/** The database of GEOIP_DB, one per process. Each call reloads the file if it has changed. */
export function openSharedCountryDatabase(
  file: string,
  log: Parameters<CountryDatabase['refresh']>[0],
): Pick<CountryDatabase, 'countryOf'> {
  const database = openDatabases.get(file) ?? new CountryDatabase(file);
  openDatabases.set(file, database);
  database.refresh(log);
  return database;
}
