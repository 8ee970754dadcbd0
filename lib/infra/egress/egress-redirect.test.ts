import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { headersForHop, nextHop, parseRequestUrl } from './egress-redirect';

const url = new URL('https://a.example/one');

describe('parseRequestUrl', () => {
  test.each(['ftp://a.example/', 'file:///etc/passwd', 'nonsense', 'http://', 'https://me:pw@a.example/', 'https://me@a.example/', `http://${'a.'.repeat(130)}example/`])(
    'rejects %s',
    (address) => expect(() => parseRequestUrl(address)).toThrow(expect.objectContaining({ failure: 'bad_request' })),
  ); // prettier-ignore
});

describe('nextHop', () => {
  const firstHop = { url, method: 'GET', body: undefined };

  test('follows the location, with the method that the status requires', () => {
    expect(nextHop(firstHop, 302, '/two')).toMatchObject({
      method: 'GET',
      url: new URL('https://a.example/two'),
    });
    expect(nextHop({ ...firstHop, method: 'HEAD' }, 301, '/two')).toMatchObject({ method: 'HEAD' });
    const post = { url, method: 'POST', body: 'text' };
    expect(nextHop(post, 303, '//b.example')).toMatchObject({ method: 'GET', body: undefined });
    expect(nextHop(post, 307, '//b.example')).toMatchObject({ method: 'POST', body: 'text' });
  });

  test.each([[200, '/two'], [304, '/two'], [302, undefined], [300, '/two']])('returns null for status %s with location %s', (status, location) =>
    expect(nextHop(firstHop, status, location)).toBeNull()); // prettier-ignore

  test.each<[string | string[], string]>([
    // Header values contain one character per byte.
    [Buffer.from('/Flüsse/川.mp4').toString('latin1'), 'https://a.example/Fl%C3%BCsse/%E5%B7%9D.mp4'],
    [Buffer.from('//bücher.example/').toString('latin1'), 'https://xn--bcher-kva.example/'],
    ['/\xfc', 'https://a.example/%FC'],
    [' /town hall.mp4 ', 'https://a.example/town%20hall.mp4'],
    ['HTTPS://B.example/', 'https://b.example/'],
    [['/two', '/two'], 'https://a.example/two'],
  ])('resolves the location %j to %s', (location, next) =>
    expect(nextHop(firstHop, 302, location)?.url.href).toBe(next),
  );

  test('returns null for two different locations', () =>
    expect(nextHop(firstHop, 302, ['/two', '/three'])).toBeNull());

  test.each([
    ['http://a.example/', 'redirect'],
    ['ftp://a.example/', 'bad_request'],
    ['https://u:p@a.example/', 'bad_request'],
    ['http://[', 'bad_request'],
  ])('throws for a redirect to %s: %s', (location, failure) =>
    expect(() => nextHop(firstHop, 302, location)).toThrow(expect.objectContaining({ failure })),
  );

  test('throws if a stream would have to be sent twice', () => {
    const upload = { url, method: 'PUT', body: Readable.from(['x']) };
    expect(() => nextHop(upload, 307, '/two')).toThrow('sent only once');
    expect(nextHop(upload, 303, '/two')).toMatchObject({ method: 'GET', body: undefined });
  });
});

describe('headersForHop', () => {
  const requestHeaders = {
    Authorization: 'Bearer s',
    'X-Key': 's',
    Accept: 'video/*',
    'Content-Type': 'text/plain',
  };

  test('returns all headers of the caller for the first origin', () => {
    expect(headersForHop(requestHeaders, { firstUrl: url, url: new URL('/two', url), body: 'x' })).toEqual({
      authorization: 'Bearer s',
      'x-key': 's',
      accept: 'video/*',
      'content-type': 'text/plain',
    });
  });

  test.each(['https://b.example/', 'https://a.example:444/', 'http://a.example/'])(
    'returns only harmless headers for the other origin %s',
    (other) =>
      expect(headersForHop(requestHeaders, { firstUrl: url, url: new URL(other), body: 'x' })).toEqual({
        accept: 'video/*',
      }),
  );

  test('returns no content headers without a body', () => {
    expect(headersForHop(requestHeaders, { firstUrl: url, url, body: undefined })).not.toHaveProperty(
      'content-type',
    );
  });

  test.each(['Host', 'transfer-encoding', 'Connection', 'TE', 'Upgrade', 'Expect'])(
    'throws for the header %s',
    (name) =>
      expect(() => headersForHop({ [name]: 'x' }, { firstUrl: url, url, body: undefined })).toThrow(
        'cannot be set',
      ),
  );
});
