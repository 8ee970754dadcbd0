import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createErrorBody } from '@/lib/core/reasons/reason';
import { ApiError, call, callList, urlOf } from './call';
import { connection } from './connection';
import { revealApiKey } from './routes/accounts-routes';
import { getStream, listStreams, updateStream } from './routes/streams-routes';

const answer = (response: Response | Error) => {
  const fetchMock = vi.fn<typeof fetch>(() =>
    response instanceof Error ? Promise.reject(response) : Promise.resolve(response),
  );
  vi.stubGlobal('fetch', fetchMock);
  return fetchMock;
};

/** Only failures of the server of the page are remembered, so the tests call another server. */
const elsewhere = { baseUrl: 'http://elsewhere.example' };

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('call', () => {
  test('sends path, query and body', async () => {
    const fetchMock = answer(new Response(null, { status: 204 }));
    await call(updateStream, { params: { id: 'a/b' }, body: { record: true } });
    expect(fetchMock).toHaveBeenCalledWith('/api/stream/a%2Fb', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"record":true}',
      signal: expect.any(AbortSignal) as AbortSignal,
    });
  });

  test('parses a JSON response', async () => {
    answer(Response.json({ id: 'x' }));
    expect(await call(getStream, { params: { id: 'x' } })).toEqual({ id: 'x' });
  });

  test('throws ApiError with status, messages and request id for an error response', async () => {
    answer(
      Response.json(
        createErrorBody([{ field: 'password', message: 'is not the password of this account' }]),
        {
          status: 403,
          headers: { 'x-request-id': 'r1', 'retry-after': '7' },
        },
      ),
    );
    const error = await call(revealApiKey, { params: { id: 'x' }, body: { password: 'y' } }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 403, requestId: 'r1', retryAfter: 7 });
    expect((error as ApiError).issues).toEqual([
      { field: 'password', message: 'is not the password of this account' },
    ]);
    expect((error as ApiError).messages).toEqual(['password: is not the password of this account']);
  });

  test('throws ApiError with a message for an error response that is not JSON', async () => {
    answer(new Response('<html>Bad gateway</html>', { status: 502 }));
    await expect(call(getStream, { params: { id: 'x' } }, elsewhere)).rejects.toThrow(
      'The server is not responding. Try again.',
    );
  });

  test('throws ApiError with status 0 without a response, and the error of fetch for a cancelled call', async () => {
    answer(new TypeError('failed to fetch'));
    await expect(call(getStream, { params: { id: 'x' } }, elsewhere)).rejects.toMatchObject({ status: 0 });
    const signal = AbortSignal.abort();
    await expect(call(getStream, { params: { id: 'x' } }, { signal })).rejects.toThrow(TypeError);
  });
});

describe('calls to the server of the page', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const change = () => call(updateStream, { params: { id: 'x' }, body: { record: true } });

  test('a change is not sent while the server is down, and is sent once the server is back', async () => {
    answer(new TypeError('failed to fetch'));
    await expect(change()).rejects.toThrow('Can’t reach the server.');
    await vi.advanceTimersByTimeAsync(0);
    expect(connection.downSince).not.toBeNull();
    const fetchMock = answer(new Response(null, { status: 204 }));
    await expect(change()).rejects.toThrow('Nothing was changed');
    expect(fetchMock).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(connection.downSince).toBeNull();
    await change();
  });

  test('a request times out if the server does not respond', async () => {
    vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('given up'))),
      );
    });
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const late = new AbortController();
      setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), ms);
      return late.signal;
    });
    const response = call(getStream, { params: { id: 'x' } }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await response).toMatchObject({ status: 0, message: 'The server is not responding.' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(connection.downSince).not.toBeNull();
    answer(new Response(null, { status: 401 }));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(connection.downSince).toBeNull();
    vi.restoreAllMocks();
  });
});

describe('callList', () => {
  test('reads a page with its cursor and total', async () => {
    const link = '<http://localhost:3000/api/stream?limit=1&cursor=abc-_1>; rel="next"';
    answer(Response.json([{ id: 'x' }], { headers: { link, 'x-total-count': '7' } }));
    expect(await callList(listStreams, { query: { limit: '1', count: '1' } })).toEqual({
      items: [{ id: 'x' }],
      nextCursor: 'abc-_1',
      total: 7,
    });
  });

  test('returns no cursor on the last page', async () => {
    answer(Response.json([]));
    expect(await callList(listStreams, { query: { limit: '20' } })).toEqual({
      items: [],
      nextCursor: null,
      total: null,
    });
  });
});

test('urlOf omits empty parameters', () => {
  const query = { limit: '20', filters: '[{"id":"record","value":true}]', cursor: '' };
  expect(urlOf(listStreams, { query }, 'http://localhost:3000')).toBe(
    'http://localhost:3000/api/stream?limit=20&filters=%5B%7B%22id%22%3A%22record%22%2C%22value%22%3Atrue%7D%5D',
  );
});
