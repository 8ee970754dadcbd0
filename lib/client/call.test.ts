import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createErrorBody } from '@/lib/core/reasons/reason';
import { ApiCallError, callEndpoint, callListEndpoint, urlOf } from './call';
import { serverReachability } from './server-reachability';
import { revealApiKey } from './routes/accounts-routes';
import { getStream, listStreams, updateStream } from './routes/streams-routes';

/** Replaces `fetch` by a function that resolves or rejects with `response`. */
const stubFetch = (response: Response | Error) => {
  const fetchMock = vi.fn<typeof fetch>(() =>
    response instanceof Error ? Promise.reject(response) : Promise.resolve(response),
  );
  vi.stubGlobal('fetch', fetchMock);
  return fetchMock;
};

/** Only failures of the server of the page are remembered, so these tests call another server. */
const toOtherServer = { baseUrl: 'http://elsewhere.example' };

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('callEndpoint', () => {
  test('sends path, query and body', async () => {
    const fetchMock = stubFetch(new Response(null, { status: 204 }));
    await callEndpoint(updateStream, { params: { id: 'a/b' }, body: { record: true } });
    expect(fetchMock).toHaveBeenCalledWith('/api/stream/a%2Fb', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"record":true}',
      signal: expect.any(AbortSignal) as AbortSignal,
    });
  });

  test('parses a JSON response', async () => {
    stubFetch(Response.json({ id: 'x' }));
    expect(await callEndpoint(getStream, { params: { id: 'x' } })).toEqual({ id: 'x' });
  });

  test('throws ApiCallError with status, messages and request id for an error response', async () => {
    stubFetch(
      Response.json(
        createErrorBody([{ field: 'password', message: 'is not the password of this account' }]),
        {
          status: 403,
          headers: { 'x-request-id': 'r1', 'retry-after': '7' },
        },
      ),
    );
    const error = await callEndpoint(revealApiKey, { params: { id: 'x' }, body: { password: 'y' } }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ApiCallError);
    expect(error).toMatchObject({ status: 403, requestId: 'r1', retryAfterSeconds: 7 });
    expect((error as ApiCallError).issues).toEqual([
      { field: 'password', message: 'is not the password of this account' },
    ]);
    expect((error as ApiCallError).messages).toEqual(['password: is not the password of this account']);
  });

  test('throws ApiCallError with a message for an error response that is not JSON', async () => {
    stubFetch(new Response('<html>Bad gateway</html>', { status: 502 }));
    await expect(callEndpoint(getStream, { params: { id: 'x' } }, toOtherServer)).rejects.toThrow(
      'The server is not responding. Try again.',
    );
  });

  test('throws ApiCallError with status 0 without a response, and the error of fetch for an aborted call', async () => {
    stubFetch(new TypeError('failed to fetch'));
    await expect(callEndpoint(getStream, { params: { id: 'x' } }, toOtherServer)).rejects.toMatchObject({
      status: 0,
    });
    const signal = AbortSignal.abort();
    await expect(callEndpoint(getStream, { params: { id: 'x' } }, { signal })).rejects.toThrow(TypeError);
  });
});

describe('calls to the server of the page', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const sendChange = () => callEndpoint(updateStream, { params: { id: 'x' }, body: { record: true } });

  test('a change is not sent while the server is down, and is sent once the server is back', async () => {
    stubFetch(new TypeError('failed to fetch'));
    await expect(sendChange()).rejects.toThrow('Can’t reach the server.');
    await vi.advanceTimersByTimeAsync(0);
    expect(serverReachability.unreachableSince).not.toBeNull();
    const fetchMock = stubFetch(new Response(null, { status: 204 }));
    await expect(sendChange()).rejects.toThrow('Nothing was changed');
    expect(fetchMock).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(serverReachability.unreachableSince).toBeNull();
    await sendChange();
  });

  test('a request times out if the server does not respond', async () => {
    vi.stubGlobal('fetch', (_url: string, { signal }: { signal: AbortSignal }) => {
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    });
    vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
      const timeout = new AbortController();
      setTimeout(() => timeout.abort(new DOMException('late', 'TimeoutError')), ms);
      return timeout.signal;
    });
    const response = callEndpoint(getStream, { params: { id: 'x' } }).catch((error: unknown) => error);
    // Timeouts: 10 s for a read, then 5 s for the probe, which is repeated after 2 s.
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await response).toMatchObject({ status: 0, message: 'The server is not responding.' });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(serverReachability.unreachableSince).not.toBeNull();
    stubFetch(new Response(null, { status: 401 }));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(serverReachability.unreachableSince).toBeNull();
    vi.restoreAllMocks();
  });
});

describe('callListEndpoint', () => {
  test('reads a page with its cursor and total', async () => {
    const link = '<http://localhost:3000/api/stream?limit=1&cursor=abc-_1>; rel="next"';
    stubFetch(Response.json([{ id: 'x' }], { headers: { link, 'x-total-count': '7' } }));
    expect(await callListEndpoint(listStreams, { query: { limit: '1', count: '1' } })).toEqual({
      items: [{ id: 'x' }],
      nextCursor: 'abc-_1',
      total: 7,
    });
  });

  test('returns no cursor on the last page', async () => {
    stubFetch(Response.json([]));
    expect(await callListEndpoint(listStreams, { query: { limit: '20' } })).toEqual({
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
