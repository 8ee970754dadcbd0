import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { startS3Server } from './testing/s3-server';
import { startSecondS3Server } from './testing/second-s3-server';
import { tryS3 } from './s3-trial';

const [server, otherServer] = [await startS3Server(), await startSecondS3Server()];
afterAll(() => Promise.all([server.close(), otherServer.close()]));
afterEach(() => {
  server.fault = null;
  server.requests.length = 0;
});
const { settings } = server;

describe('the check of the bucket at the start', () => {
  test('uses every operation that the service needs, and leaves no object', async () => {
    await tryS3(settings);
    expect(server.requests.map((line) => line.replace(/[0-9a-f-]{36}$/, '<id>'))).toEqual([
      'GET /headwater/',
      'PUT /headwater/headwater-start-check/<id>',
      'GET /headwater/headwater-start-check/<id>',
      'DELETE /headwater/headwater-start-check/<id>',
    ]);
    await tryS3(otherServer.settings);
  });

  test.each([
    [{ bucket: 'no-such-bucket' }, 'S3_BUCKET: there is no bucket “no-such-bucket”'],
    [{ accessKeyId: 'WRONG' }, 'S3_ACCESS_KEY_ID: the service does not know the key “WRONG”'],
    [{ secretAccessKey: 'wrong' }, 'S3_SECRET_ACCESS_KEY: does not belong to S3_ACCESS_KEY_ID'],
  ])('names the wrong setting: %j', async (changes, message) => {
    for (const s3Settings of [settings, otherServer.settings]) {
      await expect(tryS3({ ...s3Settings, ...changes })).rejects.toMatchObject({
        name: 'StorageUnusableError',
        message,
      });
    }
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['PUT', 403, 'S3_ACCESS_KEY_ID: this key may not list, write, read and delete in the bucket “headwater”'],
    ['DELETE', 403, 'S3_ACCESS_KEY_ID: this key may not'],
    ['GET', 400, `S3_ENDPOINT: ${settings.endpoint} answered with 400`],
    ['GET', 301, 'S3_REGION: the bucket is not in “us-east-1”'],
  ])('does not retry a rejection of %s with %d', async (method, status, message) => {
    server.fault = (request) => (request.method === method ? status : undefined);
    await expect(tryS3(settings, { retryDelaysMs: [60_000] })).rejects.toThrow(message);
  });

  test('retries an unreachable service for a limited time', async () => {
    // The S3 client makes three attempts itself, so the fourth failure is the one of the first retry.
    let remainingFailures = 4;
    server.fault = () => (remainingFailures-- > 0 ? 503 : undefined);
    await tryS3(settings, { retryDelaysMs: [10, 10, 10] });
    server.fault = () => 503;
    await expect(tryS3(settings, { retryDelaysMs: [10] })).rejects.toThrow(
      `S3_ENDPOINT: ${settings.endpoint} cannot be reached (it answers with 503)`,
    );
    const unreachable = { ...settings, endpoint: 'http://127.0.0.1:9' };
    await expect(tryS3(unreachable, { retryDelaysMs: [10] })).rejects.toThrow(
      'S3_ENDPOINT: http://127.0.0.1:9 cannot be reached (ECONNREFUSED)',
    );
  });

  test('ends when the start is aborted', async () => {
    server.fault = () => 503;
    const abort = new AbortController();
    const check = tryS3(settings, { signal: abort.signal, retryDelaysMs: [600_000] });
    abort.abort(new Error('stopped'));
    await expect(check).rejects.toThrow();
  });
});
