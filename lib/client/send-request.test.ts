import { afterEach, expect, test, vi } from 'vitest';
import { sendRequest, type RequestToSend } from './send-request';

const answer = (response: Response | Error) => {
  const fetchMock = vi.fn<typeof fetch>(() =>
    response instanceof Error ? Promise.reject(response) : Promise.resolve(response),
  );
  vi.stubGlobal('fetch', fetchMock);
  return fetchMock;
};

afterEach(() => {
  vi.unstubAllGlobals();
});

const request = (change: Partial<RequestToSend> = {}): RequestToSend => ({
  method: 'POST',
  pathAndQuery: '/api/stream',
  key: null,
  idempotencyKey: '',
  body: '{"name":"x"}',
  ...change,
});

test('a request with a key omits the session cookie', async () => {
  const fetchMock = answer(Response.json({}));
  await sendRequest(request({ key: 'lsk_x', idempotencyKey: 'k1' }));
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
  const fetchMock = answer(new Response(null, { status: 204 }));
  await sendRequest(request({ method: 'DELETE', body: null }));
  const [, options] = fetchMock.mock.calls[0] ?? [];
  expect(options).toMatchObject({ credentials: 'same-origin', headers: {} });
  expect(options).not.toHaveProperty('body');
});

test('an error status is returned as a response, not thrown', async () => {
  answer(
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
  answer(new Response(new ReadableStream({ pull, cancel: onCancel })));
  const { body, isTruncated } = await sendRequest(request());
  expect([body.length, isTruncated]).toEqual([300 * 1024, true]);
  expect(onCancel).toHaveBeenCalledOnce();
});

test.each([
  ['a missing response', new TypeError('fetch failed'), 'Can’t reach the server. Check your connection.'],
  [
    'a late response',
    new DOMException('late', 'TimeoutError'),
    'The server did not respond within 60 seconds.',
  ],
])('%s is an error with a message', async (_name, failure, message) => {
  answer(failure);
  await expect(sendRequest(request())).rejects.toMatchObject({ status: 0, messages: [message] });
});
