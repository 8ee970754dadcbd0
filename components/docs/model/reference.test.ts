import { expect, test } from 'vitest';
import { createOpenApi } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';
import { eventNames } from '@/lib/core/webhooks/events';
import { fieldsOf, typeOf } from './fields';
import type { OpenApiDocument, Schema } from './open-api';
import { createReference, type Operation } from './reference';

const document = createOpenApi(registry, 'http://localhost:3000') as unknown as OpenApiDocument;
const { entries } = createReference(document);
const operations = entries.filter((entry) => entry.kind === 'operation');
const findOperation = (id: string): Operation => {
  const operation = operations.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`There is no operation ${id}`);
  return operation;
};

test('every endpoint and every event has exactly one entry', () => {
  expect(operations.map(({ id }) => id).sort()).toEqual(registry.map(({ id }) => id).sort());
  expect(entries.filter(({ kind }) => kind === 'event').map(({ id }) => id)).toEqual([...eventNames]);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
});

test('groups are contiguous, so that previous and next stay within them', () => {
  const changes = entries.filter(({ group }, index) => group !== entries[index - 1]?.group);
  expect(new Set(changes.map(({ group }) => group)).size).toBe(changes.length);
});

test('an operation has its access, parameters, fields and errors', () => {
  const createStream = findOperation('createStream');
  expect(createStream).toMatchObject({
    method: 'POST',
    path: '/api/stream',
    access: 'key',
    group: 'Streams',
  });
  expect(createStream.headers.map(({ name }) => name)).toEqual(['Idempotency-Key']);
  const [nameField] = createStream.body?.fields ?? [];
  expect(nameField).toMatchObject({
    name: 'name',
    type: 'string',
    required: true,
    limits: ['1 to 500 characters.'],
  });
  expect(createStream.response).toMatchObject({ status: '201', type: 'Stream' });
  expect(createStream.errors.map(({ status }) => status)).toContain('422');
  expect(findOperation('getPlayback').access).toBe('public');
  expect(findOperation('listApiKeys').access).toBe('session');
  expect(findOperation('deleteStream').response).toMatchObject({ status: '204', type: null, example: null });
  expect(findOperation('listStreams').response.headers.map(({ name }) => name)).toEqual([
    'Link',
    'X-Total-Count',
  ]);
});

test('every value that a path needs has an example', () => {
  const parametersWithoutExample = operations.flatMap(({ id, pathParameters }) =>
    pathParameters.filter(({ example }) => example === '').map(({ name }) => `${id} ${name}`),
  );
  expect(parametersWithoutExample).toEqual([]);
});

test('nested objects keep their fields', () => {
  const multistream = findOperation('createStream').body?.fields.find(({ name }) => name === 'multistream');
  const targets = multistream?.fields.find(({ name }) => name === 'targets');
  expect(targets).toMatchObject({ type: 'array of object', limits: ['At most 20 items.', 'Default: `[]`.'] });
  expect(targets?.fields.map(({ name }) => name)).toEqual(['profile', 'id', 'spec', 'videoOnly']);
});

const schemas: Readonly<Record<string, Schema>> = {
  Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } },
  AssetOutput: { type: 'object', properties: { id: { type: 'string', format: 'uuid', pattern: '^x$' } } },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test.each<[string, Schema, string]>([
  ['a plain type', { type: 'integer' }, 'integer'],
  ['a format', { type: 'string', format: 'uuid' }, 'string (uuid)'],
  ['a reference', ref('Node'), 'Node'],
  ['a reference made by the generator', ref('AssetOutput'), 'Asset'],
  ['an array', { type: 'array', items: ref('Node') }, 'array of Node'],
  [
    'alternatives',
    { anyOf: [{ type: 'string' }, { anyOf: [{ type: 'string' }, { type: 'null' }] }] },
    'string or null',
  ],
  ['a list of types', { type: ['string', 'null'], maxLength: 79 }, 'string or null'],
  ['anything', {}, 'any'],
])('the type of %s is named for readers', (_name, schema, type) => {
  expect(typeOf(schema, schemas)).toBe(type);
});

test('a schema that contains itself is expanded once', () => {
  let [depth, fields] = [0, fieldsOf(ref('Node'), schemas)];
  while (fields[0]) [depth, fields] = [depth + 1, fields[0].fields];
  expect(depth).toBe(1);
});

test('a field of two alternatives is listed once, and is required only if both require it', () => {
  const schema: Schema = {
    oneOf: [
      {
        type: 'object',
        properties: { kind: { const: 'a' }, id: { type: 'string' } },
        required: ['kind', 'id'],
      },
      { type: 'object', properties: { kind: { const: 'b' } }, required: ['kind'] },
    ],
  };
  const fields = fieldsOf(schema, schemas);
  expect(fields.map(({ name, required }) => [name, required])).toEqual([
    ['kind', true],
    ['id', false],
  ]);
  expect(fields[0]?.limits).toEqual(['Always `"a"`.', 'Always `"b"`.']);
});
