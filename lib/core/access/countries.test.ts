import { expect, test } from 'vitest';
import { countryCodes, readCountry, parseCountry } from './countries';

test('every country code is listed once, in order', () => {
  // The 249 codes of ISO 3166-1, and XK.
  expect(countryCodes).toHaveLength(250);
  expect(countryCodes).toEqual([...new Set(countryCodes)].sort());
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  expect(countryCodes.filter((code) => names.of(code) === undefined)).toEqual([]);
});

test.each([
  ['DE', 'DE'],
  [' gb ', 'GB'],
  // Reserved codes for GB and the EU, a code for private use, a name and an alpha-3 code.
  ['UK', null],
  ['EU', null],
  ['ZZ', null],
  ['Germany', null],
  ['DEU', null],
  ['', null],
])('parseCountry(%j) returns %j', (text, code) => {
  expect(parseCountry(text)).toBe(code);
});

test.each([
  [{ country: { iso_code: 'DE', geoname_id: 1 } }, 'DE'],
  [{ country: { iso_code: 'DE' }, registered_country: { iso_code: 'FR' } }, 'DE'],
  [{ country: 'FR', continent: 'EU' }, 'FR'],
  [{ country: 'France', country_code: 'FR' }, 'FR'],
  [{ registered_country: { iso_code: 'FR' } }, null],
  [{ country: {} }, null],
  [{ country: 'France' }, null],
  [{ country: { iso_code: 7 } }, null],
  [{}, null],
  [null, null],
  ['FR', null],
])('the country of the record %j is %j', (record, code) => {
  expect(readCountry(record)).toBe(code);
});
