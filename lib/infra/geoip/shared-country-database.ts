import { CountryDatabase } from './country-database';

const openDatabases = new Map<string, CountryDatabase>();

/** The file of GEOIP_DB, read once for this process and again when it has changed. */
export function sharedCountryDatabase(
  file: string,
  log: Parameters<CountryDatabase['refresh']>[0],
): Pick<CountryDatabase, 'countryOf'> {
  const database = openDatabases.get(file) ?? new CountryDatabase(file);
  openDatabases.set(file, database);
  database.refresh(log);
  return database;
}
