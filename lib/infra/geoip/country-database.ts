import { readFileSync, statSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Reader } from 'mmdb-lib';
import { readCountry } from '@/lib/core/access/countries';
import { unmapAddress } from '../egress/ip-address';

interface DatabaseLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Interval between two checks of the file. */
const CHECK_INTERVAL_MS = 5_000;
/** Maximum number of networks that are checked for a country, because a file of another kind has a million. */
const MAX_NETWORKS = 10_000;

/** Country lookup for addresses, by a file in MaxMind DB format that the operator updates. */
export class CountryDatabase {
  readonly #file: string;
  #loaded: { readonly fileVersion: string; readonly reader: Countries } | null = null;
  /** Last logged problem, so that a broken file is logged once. */
  #loggedProblem = '';

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Country code of an address; null if the file has none, for example for a private address; undefined without a usable
   * file.
   */
  countryOf(address: string): string | null | undefined {
    if (!this.#loaded) return undefined;
    const ipAddress = unmapAddress(address).replace(/%.*$/, '');
    return isIP(ipAddress) === 0 ? null : lookUp(this.#loaded.reader, ipAddress);
  }

  /**
   * Reads the file if it has changed.
   * @throws Error if it is not usable
   */
  reload(): void {
    const { mtimeMs, size, ino } = statSync(this.#file);
    const fileVersion = `${mtimeMs}/${size}/${ino}`;
    if (this.#loaded?.fileVersion !== fileVersion)
      this.#loaded = { fileVersion, reader: openReader(readFileSync(this.#file)) };
  }

  /** Reloads the file if it has changed. While the file is unusable, the previous data is used. */
  refresh(log: DatabaseLog): void {
    const previousData = this.#loaded;
    try {
      this.reload();
      this.#loggedProblem = '';
      if (previousData && this.#loaded !== previousData)
        log.info({ file: this.#file }, 'country database reloaded');
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      if (message !== this.#loggedProblem)
        log.warn({ err: error, file: this.#file }, failureMessage(previousData !== null));
      this.#loggedProblem = message;
    }
  }

  /**
   * Loads the file now, and reloads it every five seconds if it has changed.
   * @returns a function that stops watching
   */
  watch(log: DatabaseLog): () => void {
    this.refresh(log);
    const timer = setInterval(() => this.refresh(log), CHECK_INTERVAL_MS);
    return () => clearInterval(timer);
  }
}

const failureMessage = (hasPrevious: boolean): string =>
  hasPrevious
    ? 'country database not reloaded; the previous one is used'
    : 'country database not loaded; all viewers of playback with country rules are rejected';

/** The reason why a machine must not start with the file of GEOIP_DB; null if it may. */
export function findCountryDatabaseProblem({
  geoipDb,
}: {
  readonly geoipDb: string | undefined;
}): string | null {
  if (geoipDb === undefined) return null;
  try {
    new CountryDatabase(geoipDb).reload();
    return null;
  } catch (error) {
    return `GEOIP_DB: ${geoipDb} cannot be used: ${(error as Error).message}`;
  }
}

type Countries = Reader<object>;

function openReader(bytes: Buffer): Countries {
  let reader: Countries;
  try {
    reader = new Reader<object>(bytes);
  } catch (error) {
    throw new Error('it is not a MaxMind DB file (.mmdb)', { cause: error });
  }
  if (!containsCountries(reader))
    throw new Error(
      `it contains no country in its first ${MAX_NETWORKS} IPv4 networks (its type is ${reader.metadata.databaseType})`,
    );
  return reader;
}

function lookUp(reader: Countries, address: string): string | null {
  // An IPv4 file would interpret the first bits of an IPv6 address as an IPv4 address.
  if (reader.metadata.ipVersion === 4 && isIPv6(address)) return null;
  return readCountry(reader.get(address));
}

/**
 * Whether the file contains countries. Files of providers or domains have other records. Reads the
 * first IPv4 networks in order.
 */
function containsCountries(reader: Countries): boolean {
  let nextIp = 0;
  for (let probeCount = 0; probeCount < MAX_NETWORKS && nextIp < 2 ** 32; probeCount += 1) {
    const bytes = [24, 16, 8, 0].map((shift) => Math.floor(nextIp / 2 ** shift) % 256);
    const address = ipaddr.fromByteArray(bytes).toString();
    const [record, prefixLength] = reader.getWithPrefixLength(address);
    if (readCountry(record) !== null) return true;
    nextIp += 2 ** (32 - Math.min(prefixLength, 32));
  }
  return false;
}
