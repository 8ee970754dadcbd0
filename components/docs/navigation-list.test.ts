import { expect, test } from 'vitest';
import { createOpenApi } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';
import type { OpenApiDocument } from './model/open-api';
import { createReference } from './model/reference';
import { taskGuides } from './guides/task-guides';
import { searchNavigation, createNavigation } from './navigation-list';

const document = createOpenApi(registry, 'http://localhost:3000') as unknown as OpenApiDocument;
const groups = createNavigation(
  createReference(document),
  taskGuides({ baseUrl: '', cdnUrl: '', rtmpUrl: '' }),
);
const findHrefs = (search: string) =>
  searchNavigation(groups, search).flatMap(({ items }) => items.map(({ href }) => href));

test('lists basics and guides first, an endpoint by its id, and the events after the webhook endpoints', () => {
  const titles = groups.map(({ title }) => title);
  expect(titles.slice(0, 2)).toEqual(['Basics', 'Guides']);
  expect(titles[titles.indexOf('Webhooks') + 1]).toBe('Webhook events');
  expect(findHrefs('')).toContain('/docs/createStream');
});

test.each([
  ['words of the title, in any order', 'STREAM create', '/docs/createStream'],
  ['an id', 'rotatestreamkey', '/docs/rotateStreamKey'],
  ['method and path', 'delete /api/webhook/', '/docs/deleteWebhook'],
  ['an event', 'recording.ready', '/docs/recording.ready'],
  ['a keyword of a general rule', '429', '/docs#rate-limits'],
])('the search finds entries by %s', (_name, search, href) => {
  expect(findHrefs(search)).toContain(href);
});

test('a search without a match leaves no group', () => {
  expect(searchNavigation(groups, 'no such thing')).toEqual([]);
});
