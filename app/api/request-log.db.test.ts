import { Writable } from 'node:stream';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi } from './testing/test-api';

const logLines: Record<string, unknown>[] = [];
const log = pino(
  { level: 'info' },
  new Writable({
    write(line: Buffer, _, done) {
      logLines.push(JSON.parse(line.toString()) as Record<string, unknown>);
      done();
    },
  }),
);
const api = openTestApi(await createTestDatabase(), { log });
const ada = await api.createPerson('ada');
beforeEach(() => void logLines.splice(0));

const requestLines = () => logLines.filter(({ msg }) => msg === 'request');

test.each<[string, string, string, number]>([
  ['a success', 'GET', '/api/stream', 200],
  ['a rejection', 'GET', '/api/stream/00000000-0000-4000-8000-000000000000', 404],
  ['bad input', 'POST', '/api/stream', 422],
])('%s writes one log line with the id of its response', async (_, method, path, status) => {
  const response = await api.request(method, path, { key: ada.key, body: {} });
  expect(response.status).toBe(status);
  expect(requestLines()).toEqual([
    expect.objectContaining({
      requestId: response.headers.get('x-request-id'),
      method,
      status,
      teamId: ada.teamId,
    }),
  ]);
});

test('a request id sent by the caller is in the log', async () => {
  await api.request('GET', '/api/user/me', { key: ada.key, headers: { 'x-request-id': 'trace-7' } });
  expect(requestLines()).toMatchObject([{ requestId: 'trace-7' }]);
});

test('neither the key nor the query of a request is in the log', async () => {
  await api.request('GET', '/api/stream?name=private', { key: ada.key });
  const text = JSON.stringify(logLines);
  expect(text).not.toContain('private');
  expect(text).not.toContain(ada.key);
});

test('passwords, tokens and access keys of viewers are not in the log', async () => {
  const secrets = { jwt: 'aaaa.bbbb.cccc', token: 'dddddddd', accessKey: 'eeeeeeee' };
  const response = await api.request('POST', '/api/stream', {
    key: ada.key,
    body: { name: 'Gated', playbackPolicy: { type: 'password', password: 'open sesame' } },
  });
  const { playbackId } = (await response.json()) as { playbackId: string };
  await api.request('GET', `/api/playback/${playbackId}?${new URLSearchParams(secrets).toString()}`);
  await api.request('POST', `/api/playback/${playbackId}/password`, { body: { password: 'open sesame' } });
  await api.request('POST', `/api/playback/${playbackId}/token/revoke`, {
    key: ada.key,
    body: { token: secrets.token },
  });
  // One line for each of the four requests.
  expect(requestLines()).toHaveLength(4);
  const text = JSON.stringify(logLines);
  for (const secret of [...Object.values(secrets), 'sesame']) expect(text).not.toContain(secret);
});
