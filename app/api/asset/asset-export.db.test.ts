import { describe, expect, test } from 'vitest';
import type { Asset } from '@/lib/contract/assets/asset';
import type { Task } from '@/lib/contract/tasks/task';
import { createTestDatabase } from '@/lib/infra/testing/test-database';
import { openTestApi } from '@/app/api/testing/test-api';

const api = openTestApi(await createTestDatabase());
const { db } = api.services;
const ada = await api.createPerson('ada');

const post = (path: string, body: unknown) => api.request('POST', path, { key: ada.key, body });
const errorsOf = async (response: Response) => ((await response.json()) as { errors: string[] }).errors;
const readAssetAndTask = async (response: Response) =>
  (await response.json()) as { asset: Asset; task: Task };

const { asset: readyAsset } = await readAssetAndTask(
  await post('/api/asset/request-upload', { name: 'Town hall' }),
);
await db.asset.update({ where: { id: readyAsset.id }, data: { phase: 'ready' } });

describe('POST /api/asset/{id}/export', () => {
  const requestExport = (body: unknown) => post(`/api/asset/${readyAsset.id}/export`, body);
  const createCustomExport = (change: object) => ({ custom: { url: 'https://bucket.example/a', ...change } });
  const createHeadersExport = (...namesAndValues: [string, string][]) =>
    createCustomExport({ headers: Object.fromEntries(namesAndValues) });
  const nestObjects = (levels: number): object => (levels === 0 ? {} : { a: nestObjects(levels - 1) });

  test('returns 201 with the task, and no credential is in the response, the list or the asset', async () => {
    const pinning = { apiKey: 'the-key', apiSecret: 'the-secret' };
    for (const body of [
      { ipfs: {} },
      { ipfs: { pinning } },
      { ipfs: { pinata: { jwt: 'the-secret' } } },
      { ...createHeadersExport(['X-Auth', 'the-secret']) },
      createCustomExport({ url: 'https://bucket.example/a?sig=the-secret', method: 'post' }),
    ]) {
      const response = await requestExport(body);
      expect(response.status).toBe(201);
      const { task } = await readAssetAndTask(response);
      expect(task).toMatchObject({
        type: 'export',
        status: { phase: 'pending' },
        inputAssetId: readyAsset.id,
      });
      expect(JSON.stringify(task)).not.toMatch(/the-(key|secret)/);
    }
    for (const path of ['/api/task', `/api/asset/${readyAsset.id}`]) {
      const text = await (await api.request('GET', path, { key: ada.key })).text();
      expect(text).not.toMatch(/the-(key|secret)/);
    }
  });

  test.each<[string, unknown, string]>([
    ['neither ipfs nor custom', {}, 'must hold exactly one of ipfs and custom'],
    [
      'both ipfs and custom',
      { ipfs: {}, ...createCustomExport({}) },
      'must hold exactly one of ipfs and custom',
    ],
    [
      'apiKey without apiSecret',
      { ipfs: { pinning: { apiKey: 'x' } } },
      'ipfs.pinning: must hold either jwt, or apiKey together with apiSecret',
    ],
    [
      'jwt together with apiKey and apiSecret',
      { ipfs: { pinning: { jwt: 'x', apiKey: 'x', apiSecret: 'x' } } },
      'ipfs.pinning: must hold either jwt, or apiKey together with apiSecret',
    ],
    [
      'both pinning and pinata',
      { ipfs: { pinning: { jwt: 'x' }, pinata: { jwt: 'x' } } },
      'ipfs: must hold at most one of pinning and pinata',
    ],
    [
      'a jwt on two lines',
      { ipfs: { pinning: { jwt: 'x\r\ny' } } },
      'ipfs.pinning.jwt: must be printable ASCII without spaces',
    ],
    [
      'metadata too deep',
      { ipfs: { nftMetadata: nestObjects(17) } },
      'ipfs.nftMetadata: must not nest deeper than 16 levels',
    ],
    [
      'metadata too large',
      { ipfs: { nftMetadata: { a: 'x'.repeat(70_000) } } },
      'ipfs.nftMetadata: must not exceed 64 KB',
    ],
    [
      'a NUL in metadata',
      { ipfs: { nftMetadata: { a: ['\0'] } } },
      'ipfs.nftMetadata: must not contain NUL characters or broken Unicode',
    ],
    [
      'an unpaired surrogate',
      '{"ipfs":{"nftMetadata":{"\\ud800":1}}}',
      'ipfs.nftMetadata: must not contain NUL characters or broken Unicode',
    ],
    ['__proto__', '{"ipfs":{"nftMetadata":{"__proto__":{"admin":true}}}}', '__proto__: unknown field'],
    ['no url', { custom: {} }, 'custom.url: is required'],
    [
      'another scheme',
      createCustomExport({ url: 'ftp://bucket.example/a' }),
      'custom.url: must be an http:// or https:// URL',
    ],
    [
      'another method',
      createCustomExport({ method: 'DELETE' }),
      'custom.method: must be one of "PUT", "POST", "PATCH"',
    ],
    [
      'a request as method',
      createCustomExport({ method: 'GET / HTTP/1.1\r\nX:' }),
      'custom.method: must be one of "PUT", "POST", "PATCH"',
    ],
    [
      'CRLF in a value',
      createHeadersExport(['X', 'a\r\nHost: b']),
      'custom.headers.X: must be the value of an HTTP header, on one line',
    ],
    [
      'CRLF in a name',
      createHeadersExport(['X: a\r\nY', 'b']),
      'custom.headers.X: a\r\nY: must be the name of an HTTP header',
    ],
    ['Host', createHeadersExport(['Host', 'b']), 'custom.headers.Host: is a header that exports cannot set'],
    ['TE', createHeadersExport(['te', 'trailers']), 'custom.headers.te: is a header that exports cannot set'],
    [
      'Transfer-Encoding',
      createHeadersExport(['Transfer-Encoding', 'chunked']),
      'custom.headers.Transfer-Encoding: is a header that exports cannot set',
    ],
    [
      'Proxy-*',
      createHeadersExport(['Proxy-Authorization', 'x']),
      'custom.headers.Proxy-Authorization: is a header that exports cannot set',
    ],
    [
      'one header twice',
      createHeadersExport(['x-a', '1'], ['X-A', '2']),
      'custom.headers: must name each header once',
    ],
    [
      '33 headers',
      createHeadersExport(...Array.from({ length: 33 }, (_, n): [string, string] => [`x-${n}`, 'a'])),
      'custom.headers: must have at most 32 headers',
    ],
    [
      '9 KB of headers',
      createHeadersExport(['a', 'x'.repeat(4_000)], ['b', 'x'.repeat(4_000)], ['c', 'x'.repeat(999)]),
      'custom.headers: must not exceed 8 KB',
    ],
    ['a number as value', createCustomExport({ headers: { X: 1 } }), 'custom.headers.X: must be a string'],
  ])('rejects %s with 422', async (_, body, message) => {
    const before = await db.task.count();
    const response = await requestExport(body);
    expect(response.status).toBe(422);
    expect(await errorsOf(response)).toContain(message);
    expect(await db.task.count()).toBe(before);
  });

  test('accepts metadata with "constructor" and backslashes without prototype pollution', async () => {
    const nftMetadata = { constructor: { prototype: { polluted: true } }, text: '\\u0000 \\ud800' };
    const response = await requestExport({ ipfs: { nftMetadata } });
    expect(response.status).toBe(201);
    expect((await readAssetAndTask(response)).task.params).toEqual({ export: { ipfs: { nftMetadata } } });
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
  });

  test('rejects an asset that is not ready with 412', async () => {
    const { asset } = await readAssetAndTask(await post('/api/asset/request-upload', { name: 'x' }));
    const response = await post(`/api/asset/${asset.id}/export`, { ipfs: {} });
    expect(response.status).toBe(412);
    expect(await errorsOf(response)).toEqual(['asset is not ready to be exported: its phase is waiting']);
  });
});
