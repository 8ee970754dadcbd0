import { describe, expect, test } from 'vitest';
import { untranslated, englishMessages } from '@/components/testing/messages';
import { defaultExportFormValues, parseExport, type ExportFormValues } from './export-input';

/**
 * The request for the form values, or their validation errors: those of the form in English, those of the API schema as the
 * schema has them.
 */
const parseFormValues = (formValues: Partial<ExportFormValues>) =>
  parseExport(
    englishMessages('assets.exportInput'),
    { ...defaultExportFormValues, ...formValues },
    untranslated,
  );

describe('the request body for an export', () => {
  test('to the IPFS node of this server, by default, has no options', () =>
    expect(parseFormValues({})).toEqual({ input: { ipfs: {} } }));

  test('to a pinning service with a token has the trimmed token, and no API key', () => {
    expect(parseFormValues({ destination: 'pinning', jwt: ' abc ', apiKey: 'ignored' })).toEqual({
      input: { ipfs: { pinning: { jwt: 'abc' } } },
    });
  });

  test('to a pinning service with an API key has the key and the secret', () => {
    expect(
      parseFormValues({ destination: 'pinning', credentials: 'key-and-secret', apiKey: 'a', apiSecret: 'b' }),
    ).toEqual({
      input: { ipfs: { pinning: { apiKey: 'a', apiSecret: 'b' } } },
    });
  });

  test('to a URL has the method, by default PUT, and the headers, if there are any', () => {
    expect(parseFormValues({ destination: 'custom', url: 'https://a.example/put' })).toEqual({
      input: { custom: { url: 'https://a.example/put', method: 'PUT' } },
    });
    const headers = 'Authorization: Bearer a:b\n\n  X-Tag : one  ';
    expect(
      parseFormValues({ destination: 'custom', url: 'https://a.example/put', method: 'POST', headers }),
    ).toEqual({
      input: {
        custom: {
          url: 'https://a.example/put',
          method: 'POST',
          headers: { Authorization: 'Bearer a:b', 'X-Tag': 'one' },
        },
      },
    });
  });

  test('does not depend on the fields of another destination, even if they are invalid', () => {
    expect(parseFormValues({ destination: 'ipfs', url: 'nonsense', headers: 'nonsense' })).toEqual({
      input: { ipfs: {} },
    });
    expect(parseFormValues({ destination: 'pinning', jwt: 'x', headers: 'nonsense' })).toHaveProperty(
      'input',
    );
  });
});

describe('validation errors', () => {
  test.each<[Partial<ExportFormValues>, Partial<Record<keyof ExportFormValues, RegExp>>]>([
    [{ destination: 'pinning' }, { jwt: /Required/ }],
    [{ destination: 'pinning', jwt: 'a b' }, { jwt: /without spaces/ }],
    [{ destination: 'pinning', credentials: 'key-and-secret', apiKey: 'a' }, { apiSecret: /Required/ }],
    [
      { destination: 'pinning', credentials: 'key-and-secret' },
      { apiKey: /Required/, apiSecret: /Required/ },
    ],
    [{ destination: 'custom' }, { url: /Enter a URL/ }],
    [{ destination: 'custom', url: 'ftp://a.example' }, { url: /http/ }],
    [{ destination: 'custom', url: 'https://me:pw@a.example' }, { url: /user name/ }],
    [{ destination: 'custom', url: 'https://a.example', headers: 'nonsense' }, { headers: /Name: value/ }],
    [
      { destination: 'custom', url: 'https://a.example', headers: 'Host: b' },
      { headers: /Host is a header/ },
    ],
  ])('the form values %j have an error only at each field that is invalid', (formValues, errors) => {
    const result = parseFormValues(formValues);
    if (!('errors' in result)) throw new Error('the form values were accepted');
    expect(Object.keys(result.errors).sort()).toEqual(Object.keys(errors).sort());
    for (const [field, message] of Object.entries(errors)) {
      expect(result.errors[field as keyof ExportFormValues]).toMatch(message);
    }
  });
});
