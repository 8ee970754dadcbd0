import { expect, test } from 'vitest';
import { openApiOf } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';
import { documentFor } from './api-reference';

const document = { ...openApiOf(registry, 'https://elsewhere.example') };
const shown = documentFor(document, 'http://localhost:3000') as unknown as typeof document;

test('calls go to where the page came from', () => {
  expect(shown.servers).toEqual([{ url: 'http://localhost:3000' }]);
});

test('a key can be given, a cookie cannot', () => {
  expect(Object.keys(shown.components?.securitySchemes ?? {})).toEqual(['apiKey']);
  expect(shown.paths?.['/api/stream']?.get?.security).toEqual([{ apiKey: [] }]);
  expect(shown.paths?.['/api/dashboard/api-keys']?.get?.security).toEqual([]);
  expect(JSON.stringify(shown.paths)).not.toContain('"session":[]');
});

test('no call is sent with the Idempotency-Key of the example', () => {
  const [parameter] = shown.paths?.['/api/stream']?.post?.parameters ?? [];
  expect(parameter).toMatchObject({ in: 'header', name: 'Idempotency-Key', schema: { type: 'string' } });
  expect(JSON.stringify(parameter)).not.toContain('"example"');
});

test('everything else stays as it was', () => {
  expect(Object.keys(shown.paths ?? {})).toEqual(Object.keys(document.paths ?? {}));
  expect(shown.components?.schemas).toEqual(document.components?.schemas);
  expect({ ...shown.paths?.['/api/stream']?.get, security: null }).toEqual({
    ...document.paths?.['/api/stream']?.get,
    security: null,
  });
});

test('a document that is none does not break the page', () => {
  expect(documentFor({}, 'http://a.example')).toMatchObject({
    paths: {},
    components: { securitySchemes: {} },
  });
});
