import { afterEach, describe, expect, test, vi } from 'vitest';
import { revealApiKey } from '@/lib/contract/accounts/api-key';
import { getStream, listStreams, updateStream } from '@/lib/contract/streams/stream-endpoints';
import { ApiError, call, callList, urlOf } from './call';

const answer = (response: Response | Error) => {
  const fetched = vi.fn<typeof fetch>(() =>
    response instanceof Error ? Promise.reject(response) : Promise.resolve(response),
  );
  vi.stubGlobal('fetch', fetched);
  return fetched;
};

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('call', () => {
  test('fills in path, query and body', async () => {
    const fetched = answer(new Response(null, { status: 204 }));
    await call(updateStream, { params: { id: 'a/b' }, body: { record: true } });
    expect(fetched).toHaveBeenCalledWith('/api/stream/a%2Fb', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"record":true}',
    });
  });

  test('reads JSON', async () => {
    answer(Response.json({ id: 'x' }));
    expect(await call(getStream, { params: { id: 'x' } })).toEqual({ id: 'x' });
  });

  test('a refusal is an ApiError with status, sentences and request id', async () => {
    answer(
      Response.json(
        { errors: ['password: is not the password of this account'] },
        { status: 403, headers: { 'x-request-id': 'r1', 'retry-after': '7' } },
      ),
    );
    const error = await call(revealApiKey, { params: { id: 'x' }, body: { password: 'y' } }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 403, requestId: 'r1', retryAfter: 7 });
    expect((error as ApiError).messageFor('password')).toBe('is not the password of this account');
    expect((error as ApiError).messageFor('name')).toBeUndefined();
  });

  test('an answer that is not ours still has a sentence', async () => {
    answer(new Response('<html>Bad gateway</html>', { status: 502 }));
    await expect(call(getStream, { params: { id: 'x' } })).rejects.toThrow(
      'The server is not responding. Try again.',
    );
  });

  test('no answer at all is an ApiError with status 0; a cancelled call is not', async () => {
    answer(new TypeError('failed to fetch'));
    await expect(call(getStream, { params: { id: 'x' } })).rejects.toMatchObject({ status: 0 });
    const signal = AbortSignal.abort();
    await expect(call(getStream, { params: { id: 'x' } }, { signal })).rejects.toThrow(TypeError);
  });
});

describe('callList', () => {
  test('reads the page with its cursor and total', async () => {
    const link = '<http://localhost:3000/api/stream?limit=1&cursor=abc-_1>; rel="next"';
    answer(Response.json([{ id: 'x' }], { headers: { link, 'x-total-count': '7' } }));
    expect(await callList(listStreams, { query: { limit: '1', count: '1' } })).toEqual({
      items: [{ id: 'x' }],
      nextCursor: 'abc-_1',
      total: 7,
    });
  });

  test('the last page has no cursor', async () => {
    answer(Response.json([]));
    expect(await callList(listStreams, { query: { limit: '20' } })).toEqual({
      items: [],
      nextCursor: null,
      total: null,
    });
  });
});

test('urlOf leaves out what is empty', () => {
  const query = { limit: '20', filters: '[{"id":"record","value":true}]', cursor: '' };
  expect(urlOf(listStreams, { query }, 'http://localhost:3000')).toBe(
    'http://localhost:3000/api/stream?limit=20&filters=%5B%7B%22id%22%3A%22record%22%2C%22value%22%3Atrue%7D%5D',
  );
});
