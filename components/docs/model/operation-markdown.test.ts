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
  if (entry?.kind !== 'operation') throw new Error(`There is no operation ${id}`);
  return operationMarkdown(entry, baseUrl);
};

describe('an endpoint as Markdown', () => {
  test('has URL, authentication, fields, sample request, response and errors', () => {
    const markdown = markdownOf('createStream');
    expect(markdown).toContain('`POST https://video.example/api/stream`');
    expect(markdown).toContain('Authorization: Bearer');
    expect(markdown).toMatch(/- `name` \(string, required\): .+/);
    expect(markdown).toMatch(/\n {2}- `targets` \(array of object\)/);
    expect(markdown).toContain('curl https://video.example/api/stream');
    expect(markdown).toMatch(/### Response 201[\s\S]+"streamKey"/);
    expect(markdown).toMatch(/- 422: .+/);
  });

  test('explains 409 and 412', () => {
    const markdown = markdownOf('transcribeAsset');
    expect(markdown).toContain('409: Subtitles in this language are already being generated.');
    expect(markdown).toMatch(/412: .*no speech model/);
    expect(markdown).toContain('Or: A request with the same `Idempotency-Key` is still being processed.');
  });

  test('has no empty section, and no value that is not text', () => {
    for (const entry of reference.entries) {
      const markdown = entry.kind === 'operation' ? operationMarkdown(entry, baseUrl) : '';
      expect(markdown, entry.id).not.toMatch(/\n{3,}|undefined|\[object|### [^\n]+\n*$/);
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

test('every endpoint explains its errors 402, 409 and 412', () => {
  // An error of the contract that is only a status has no text of its own.
  const unexplainedErrors = registry.flatMap(({ id, errors }) =>
    errors.flatMap((error) =>
      typeof error === 'number' && [402, 409, 412].includes(error) ? [`${id} ${error}`] : [],
    ),
  );
  expect(unexplainedErrors).toEqual([]);
});
