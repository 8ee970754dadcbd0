import { describe, expect, test } from 'vitest';
import { createOpenApi } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';
import type { OpenApiDocument } from './open-api';
import { operationMarkdown, referenceIndex, referenceMarkdown } from './operation-markdown';
import { createReference } from './reference';

const baseUrl = 'https://video.example';
const reference = createReference(createOpenApi(registry, baseUrl) as unknown as OpenApiDocument);
const markdownOf = (id: string): string => {
  const entry = reference.entries.find((candidate) => candidate.id === id);
  if (entry?.kind !== 'operation') throw new Error(`no operation ${id}`);
  return operationMarkdown(entry, baseUrl);
};

describe('an endpoint as Markdown', () => {
  test('can be read on its own', () => {
    const text = markdownOf('createStream');
    expect(text).toContain('`POST https://video.example/api/stream`');
    expect(text).toContain('Authorization: Bearer');
    expect(text).toMatch(/- `name` \(string, required\): .+/);
    expect(text).toMatch(/\n {2}- `targets` \(array of object\)/);
    expect(text).toContain('curl https://video.example/api/stream');
    expect(text).toMatch(/### Response 201[\s\S]+"streamKey"/);
    expect(text).toMatch(/- 422: .+/);
  });

  test('explains 409 and 412', () => {
    const text = markdownOf('transcribeAsset');
    expect(text).toContain('409: Subtitles in this language are already being generated.');
    expect(text).toMatch(/412: .*no speech model/);
    expect(text).toContain('Or: A request with the same `Idempotency-Key` is still being processed.');
  });

  test('has no empty section, and no value that is not text', () => {
    for (const entry of reference.entries) {
      const text = entry.kind === 'operation' ? operationMarkdown(entry, baseUrl) : '';
      expect(text, entry.id).not.toMatch(/\n{3,}|undefined|\[object|### [^\n]+\n*$/);
    }
  });
});

test('the index and the complete file contain every endpoint and event', () => {
  const [index, completeFile] = [referenceIndex(reference), referenceMarkdown(reference)];
  for (const { id, title } of reference.entries) {
    expect(index).toContain(`[${title}](${baseUrl}/docs/${id})`);
    expect(completeFile).toContain(title);
  }
});

test('an endpoint with a custom status explains it', () => {
  const unexplainedErrors = registry.flatMap(({ id, errors }) =>
    errors.flatMap((error) =>
      typeof error === 'number' && [402, 409, 412].includes(error) ? [`${id} ${error}`] : [],
    ),
  );
  expect(unexplainedErrors).toEqual([]);
});
