import { afterEach, expect, test, vi } from 'vitest';
import { sendRequest, type RequestToSend } from './send-request';

/** Replaces `fetch` by a function that resolves or rejects with `response`. */
const stubFetch = (response: Response | Error) => {
  const fetchMock = vi.fn<typeof fetch>(() =>
    response instanceof Error ? Promise.reject(response) : Promise.resolve(response),
  );
  vi.stubGlobal('fetch', fetchMock);
  return fetchMock;
};

afterEach(() => {
  vi.unstubAllGlobals();
});

const request = (changes: Partial<RequestToSend> = {}): RequestToSend => ({
  method: 'POST',
  pathAndQuery: '/api/stream',
  apiKey: null,
  idempotencyKey: '',
  body: '{"name":"x"}',
  ...changes,
});

test('a request with a key omits the session cookie', async () => {
  const fetchMock = stubFetch(Response.json({}));
  await sendRequest(request({ apiKey: 'lsk_x', idempotencyKey: 'k1' }));
  expect(fetchMock).toHaveBeenCalledWith(
    '/api/stream',
    expect.objectContaining({
      method: 'POST',
      credentials: 'omit',
      headers: { authorization: 'Bearer lsk_x', 'idempotency-key': 'k1', 'content-type': 'application/json' },
      body: '{"name":"x"}',
    }),
  );
});

test('a request without a key sends the session cookie, and without a body no content type', async () => {
  const fetchMock = stubFetch(new Response(null, { status: 204 }));
  await sendRequest(request({ method: 'DELETE', body: null }));
  const [, options] = fetchMock.mock.calls[0] ?? [];
  expect(options).toMatchObject({ credentials: 'same-origin', headers: {} });
  expect(options).not.toHaveProperty('body');
});

test('an error status is returned as a response, not thrown', async () => {
  stubFetch(
    Response.json(
      { errors: ['name: must not be empty'] },
      { status: 422, headers: { 'x-request-id': 'r1' } },
    ),
  );
  const response = await sendRequest(request());
  expect(response).toMatchObject({
    status: 422,
    isTruncated: false,
    body: '{"errors":["name: must not be empty"]}',
  });
  expect(response.headers).toContainEqual(['x-request-id', 'r1']);
});

test('a long body is truncated, and the rest is not read', async () => {
  const onCancel = vi.fn();
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) =>
    controller.enqueue(new Uint8Array(100 * 1024).fill(97));
  stubFetch(new Response(new ReadableStream({ pull, cancel: onCancel })));
  const { body, isTruncated } = await sendRequest(request());
  // Whole chunks of 100 KiB, until the limit of 256 KiB is exceeded.
  expect([body.length, isTruncated]).toEqual([300 * 1024, true]);
  expect(onCancel).toHaveBeenCalledOnce();
});

test.each([
  ['a missing response', new TypeError('fetch failed'), 'Can’t reach the server. Check your connection.'],
  ['a timeout', new DOMException('late', 'TimeoutError'), 'The server did not respond within 60 seconds.'],
])('%s is an error with a message', async (_name, failure, message) => {
  stubFetch(failure);
  await expect(sendRequest(request())).rejects.toMatchObject({ status: 0, messages: [message] });
});
