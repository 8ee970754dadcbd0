import { describe, expect, test } from 'vitest';
import { readJsonBody } from './read-body';

const createRequest = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request('http://localhost/', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
    duplex: 'half',
  } as RequestInit);

/** A body that arrives in chunks, without a Content-Length, and the number of chunks that were read. */
function createChunkedBody(
  chunk: string,
  chunkCount: number,
): { stream: ReadableStream<Uint8Array>; chunksRead: () => number } {
  let chunksRead = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      chunksRead += 1;
      if (chunksRead > chunkCount) controller.close();
      else controller.enqueue(new TextEncoder().encode(chunk));
    },
  });
  return { stream, chunksRead: () => chunksRead };
}

describe('readJsonBody', () => {
  test('reads an empty body as an empty object', async () => {
    expect(await readJsonBody(createRequest(null))).toEqual({});
    expect(await readJsonBody(new Request('http://localhost/', { method: 'POST', body: '' }))).toEqual({});
  });

  test('accepts a content type with parameters', async () => {
    const headers = { 'content-type': 'Application/JSON; charset=utf-8' };
    expect(await readJsonBody(createRequest('{"a":[1,"ü"]}', headers))).toEqual({ a: [1, 'ü'] });
  });

  test('accepts equal names in different objects, and a name as a value', async () => {
    const body = '{"a":"a","b":{"a":"{\\"a\\":1}"},"c":[{"a":1},{"a":2}],"d":["a","a"]}';
    expect(await readJsonBody(createRequest(body))).toEqual(JSON.parse(body));
  });

  test('accepts 32 levels of arrays and rejects 33', async () => {
    expect(await readJsonBody(createRequest(`${'['.repeat(32)}${']'.repeat(32)}`))).toBeDefined();
    await expect(readJsonBody(createRequest(`${'['.repeat(33)}${']'.repeat(33)}`))).rejects.toMatchObject({
      code: 'bad_request',
    });
  });

  test.each<[string, BodyInit, Record<string, string>, string]>([
    ['another content type', 'x', { 'content-type': 'text/plain' }, 'unsupported_media_type'],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 'unsupported_media_type'],
    ['a compressed body', 'x', { 'content-encoding': 'gzip' }, 'unsupported_media_type'],
    ['incomplete JSON', '{"a":', {}, 'bad_request'],
    ['two JSON values', '{}{}', {}, 'bad_request'],
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, 'bad_request'],
    ['a field __proto__', '{"a":[{"__proto__":{}}]}', {}, 'invalid'],
    ['an escaped field __proto__', '{"\\u005f_proto__":{}}', {}, 'invalid'],
    ['a duplicate field', '{"a":1,"b":{"a":2},"a":1}', {}, 'bad_request'],
    ['a nested duplicate field', '[{"a":[{"b":"{","c":1,"b":2}]}]', {}, 'bad_request'],
    ['an escaped duplicate field', '{"na\\"me":1, "\\u006ea\\"me" :2}', {}, 'bad_request'],
    ['more than 100 KiB', `"${'x'.repeat(102_400)}"`, {}, 'payload_too_large'],
  ])('rejects %s', async (_, body, headers, code) => {
    await expect(readJsonBody(createRequest(body, headers))).rejects.toMatchObject({ code });
  });

  test('stops reading a body soon after the limit of 100 KiB', async () => {
    const { stream, chunksRead } = createChunkedBody('x'.repeat(10_000), 10_000);
    await expect(readJsonBody(createRequest(stream))).rejects.toMatchObject({ code: 'payload_too_large' });
    expect(chunksRead()).toBeLessThan(20);
  });

  test('rejects an aborted body as a bad request', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('reset')),
    });
    await expect(readJsonBody(createRequest(stream))).rejects.toMatchObject({ code: 'bad_request' });
  });
});
