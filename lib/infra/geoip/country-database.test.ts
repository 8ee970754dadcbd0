import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CountryDatabase, findCountryDatabaseProblem } from './country-database';
import { countryRecord, createMmdb } from './testing/write-mmdb';

let folder: string;
let file: string;
const log = { info: vi.fn(), warn: vi.fn() };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'geoip-'));
  file = join(folder, 'countries.mmdb');
  vi.clearAllMocks();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Replaces the file by a rename, as update tools do. */
function replace(bytes: Buffer): void {
  writeFileSync(`${file}.new`, bytes);
  renameSync(`${file}.new`, file);
}

const networks = {
  '1.0.0.0/24': { registered_country: { iso_code: 'AU' } },
  '81.2.69.0/24': countryRecord('GB'),
  '81.2.70.5/32': { country: 'FR', continent: 'EU' },
  '2001:db8:5::/48': countryRecord('DE'),
};

describe('a country database', () => {
  test.each([
    ['81.2.69.142', 'GB'],
    ['::ffff:81.2.69.142', 'GB'],
    ['81.2.70.5', 'FR'],
    ['2001:db8:5::1', 'DE'],
    ['81.2.70.6', null],
    ['1.0.0.1', null],
    ['2001:db8:6::1', null],
    ['10.0.0.1', null],
    ['127.0.0.1', null],
    ['fe80::1%eth0', null],
    ['unknown', null],
    ['', null],
  ])('finds for %j the country %j', (address, country) => {
    replace(createMmdb(networks));
    const database = new CountryDatabase(file);
    database.reload();
    expect(database.countryOf(address)).toBe(country);
  });

  test('with only IPv4 networks returns null for IPv6 addresses', () => {
    // Like 2001:db8::1, this network begins with the bits 0010.
    replace(createMmdb({ '32.0.0.0/4': countryRecord('US') }, { ipVersion: 4 }));
    const database = new CountryDatabase(file);
    database.reload();
    expect(database.countryOf('32.1.2.3')).toBe('US');
    expect(database.countryOf('2001:db8::1')).toBeNull();
  });

  test('is read again when it changes, and keeps its data while the file is broken', () => {
    replace(createMmdb({ '81.2.69.0/24': countryRecord('GB') }));
    const database = new CountryDatabase(file);
    expect(database.countryOf('81.2.69.1')).toBeUndefined();
    // `watch` loads the file immediately. This test calls `refresh` instead of waiting for its timer.
    const stop = database.watch(log);
    stop();
    expect(database.countryOf('81.2.69.1')).toBe('GB');
    replace(Buffer.from('<html>Too many downloads</html>'));
    for (let attempt = 0; attempt < 3; attempt += 1) database.refresh(log);
    expect(database.countryOf('81.2.69.1')).toBe('GB');
    expect(log.warn.mock.calls).toEqual([
      [expect.objectContaining({ file }), 'country database not reloaded; the previous one is used'],
    ]);
    replace(createMmdb({ '81.2.69.0/24': countryRecord('IE') }));
    database.refresh(log);
    expect(database.countryOf('81.2.69.1')).toBe('IE');
    expect(log.info.mock.calls).toEqual([[{ file }, 'country database reloaded']]);
    rmSync(file);
    database.refresh(log);
    expect(database.countryOf('81.2.69.1')).toBe('IE');
    expect(log.warn).toHaveBeenCalledTimes(2);
  });
});

test('findCountryDatabaseProblem names the reason why a file cannot be used', () => {
  const problem = () => findCountryDatabaseProblem({ geoipDb: file });
  expect(findCountryDatabaseProblem({ geoipDb: undefined })).toBeNull();
  expect(problem()).toBe(
    `GEOIP_DB: ${file} cannot be used: ENOENT: no such file or directory, stat '${file}'`,
  );
  expect(findCountryDatabaseProblem({ geoipDb: folder })).toMatch(/^GEOIP_DB: .* cannot be used: EISDIR/);
  for (const text of ['', 'x', 'network,country\n81.2.69.0/24,GB\n'.repeat(1_000)]) {
    replace(Buffer.from(text));
    expect(problem()).toBe(`GEOIP_DB: ${file} cannot be used: it is not a MaxMind DB file (.mmdb)`);
  }
  const database = createMmdb(networks);
  // The metadata, without which a file is unusable, are its last bytes.
  replace(database.subarray(0, database.length - 300));
  expect(problem()).toBe(`GEOIP_DB: ${file} cannot be used: it is not a MaxMind DB file (.mmdb)`);
  for (const record of [{ '1.1.1.0/24': { autonomous_system_organization: 'Example' } }, {}]) {
    replace(createMmdb(record, { type: 'GeoLite2-ASN' }));
    expect(problem()).toBe(
      `GEOIP_DB: ${file} cannot be used: it contains no country in its first 10000 IPv4 networks (its type is GeoLite2-ASN)`,
    );
  }
  replace(database);
  expect(problem()).toBeNull();
});
