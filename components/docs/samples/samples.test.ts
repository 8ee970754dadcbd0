import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createOpenApi } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';
import type { OpenApiDocument } from '@/components/docs/model/open-api';
import { createReference } from '@/components/docs/model/reference';
import { formatLiteral, python, typeScript } from './literal';
import {
  requestPath,
  createCall,
  emptyRequestInput,
  createSampleRequest,
  type SampleRequest,
} from './sample-request';
import { sampleLanguages, createSample } from './samples';

const baseUrl = 'http://localhost:3000';
const document = createOpenApi(registry, baseUrl) as unknown as OpenApiDocument;
const calls = createReference(document).entries.flatMap((entry) =>
  entry.kind === 'operation' ? [createCall(entry)] : [],
);
const exampleRequest = (overrides: Partial<SampleRequest> = {}): SampleRequest => ({
  method: 'POST',
  url: `${baseUrl}/api/stream`,
  key: null,
  idempotencyKey: '',
  body: { name: 'Town hall' },
  hasResponseBody: true,
  ...overrides,
});

test.each(calls.map((call) => [call.id, call] as const))('%s has a sample in every language', (_id, call) => {
  const sample = createSampleRequest(call, emptyRequestInput(call), { baseUrl, key: 'lsk_abc' });
  expect(sample.url).not.toMatch(/[{}]/);
  for (const { value } of sampleLanguages) {
    const code = createSample(value, sample);
    expect(code).toContain(sample.url);
    expect(code.includes('lsk_abc')).toBe(call.access === 'key');
    expect(code).not.toContain('undefined');
  }
});

test('samples without a key read the key from the environment', () => {
  for (const { value } of sampleLanguages)
    expect(createSample(value, exampleRequest())).toContain('HEADWATER_API_KEY');
});

const publicRequest = exampleRequest({ method: 'GET', key: undefined, body: undefined });

test('the sample of a public endpoint sends no key', () => {
  expect(createSample('curl', publicRequest)).toBe(`curl ${baseUrl}/api/stream`);
});

test('a sample imports only the packages that it uses', () => {
  expect(createSample('python', publicRequest)).not.toContain('import os');
  expect(createSample('go', publicRequest)).not.toMatch(/"os"|"strings"/);
  expect(createSample('go', exampleRequest({ hasResponseBody: false }))).not.toContain('"fmt"');
});

test('an Idempotency-Key is sent in every language', () => {
  for (const { value } of sampleLanguages) {
    expect(createSample(value, exampleRequest({ idempotencyKey: 'order-7' }))).toMatch(
      /idempotency-key.*order-7/i,
    );
  }
});

const specialValues = { 'a-b': null, text: 'Ada\'s "key" `x` \\ \n ${y} é\u2028', list: [true, 1.5, [], {}] };

test('a TypeScript literal evaluates to the value', () => {
  expect(runInNewContext(`(${formatLiteral(specialValues, typeScript)})`)).toEqual(specialValues);
});

test('a Python literal uses the keywords of Python', () => {
  expect(formatLiteral({ a: null, b: [true, false] }, python)).toBe(
    '{\n    "a": None,\n    "b": [\n        True,\n        False,\n    ],\n}',
  );
});

test('a body with quotes stays a single shell argument', () => {
  const code = createSample('curl', exampleRequest({ body: { name: "Ada's" } }));
  expect(code).toContain(String.raw`"name": "Ada'\''s"`);
});

test('Go uses a raw string if it can contain the body', () => {
  expect(createSample('go', exampleRequest())).toContain('strings.NewReader(`{\n  "name": "Town hall"\n}`)');
  expect(createSample('go', exampleRequest({ body: { name: '`' } }))).toContain(
    String.raw`strings.NewReader("{\n  \"name\": \"` + '`',
  );
});

const [getStream] = calls.filter(({ id }) => id === 'getStream');
const [listStreams] = calls.filter(({ id }) => id === 'listStreams');

test('the URL contains the entered values, percent-encoded', () => {
  if (!getStream || !listStreams) throw new Error('getStream or listStreams is missing');
  const emptyInput = emptyRequestInput(getStream);
  expect(requestPath(getStream, emptyInput)).toMatch(/^\/api\/stream\/[0-9a-f-]{36}$/);
  expect(requestPath(getStream, { ...emptyInput, path: { id: 'a/b' } })).toBe('/api/stream/a%2Fb');
  expect(requestPath(listStreams, { ...emptyInput, query: { limit: '5', filters: '[{}]', order: '' } })).toBe(
    '/api/stream?limit=5&filters=%5B%7B%7D%5D',
  );
});

test('a body that is not valid JSON does not change the samples', () => {
  const [createStream] = calls.filter(({ id }) => id === 'createStream');
  if (!createStream) throw new Error('There is no operation createStream');
  const incompleteInput = { ...emptyRequestInput(createStream), body: '{"name": ' };
  expect(createSampleRequest(createStream, incompleteInput, { baseUrl, key: '' }).body).toMatchObject({
    name: 'Town hall',
  });
  expect(
    createSampleRequest(createStream, { ...incompleteInput, body: '{}' }, { baseUrl, key: '' }).body,
  ).toEqual({});
});
