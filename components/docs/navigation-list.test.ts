import { expect, test } from 'vitest';
import { openApiOf } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';
import type { OpenApiDocument } from './model/open-api';
import { referenceOf } from './model/reference';
import { taskGuides } from './guides/task-guides';
import { findIn, navigationOf } from './navigation-list';

const document = openApiOf(registry, 'http://localhost:3000') as unknown as OpenApiDocument;
const groups = navigationOf(referenceOf(document), taskGuides({ baseUrl: '', cdnUrl: '', rtmpUrl: '' }));
const find = (search: string) => findIn(groups, search).flatMap(({ items }) => items.map(({ href }) => href));

test('lists the guides, then every entry, with events after the webhook endpoints', () => {
  const titles = groups.map(({ title }) => title);
  expect(titles.slice(0, 2)).toEqual(['Basics', 'Guides']);
  expect(titles[titles.indexOf('Webhooks') + 1]).toBe('Webhook events');
  expect(find('')).toContain('/docs/createStream');
});

test.each([
  ['words of the title, in any order', 'STREAM create', '/docs/createStream'],
  ['an id', 'rotatestreamkey', '/docs/rotateStreamKey'],
  ['method and path', 'delete /api/webhook/', '/docs/deleteWebhook'],
  ['an event', 'recording.ready', '/docs/recording.ready'],
  ['a word of a guide', '429', '/docs#rate-limits'],
])('finds by %s', (_name, search, href) => {
  expect(find(search)).toContain(href);
});

test('a search without a match leaves no group', () => {
  expect(findIn(groups, 'no such thing')).toEqual([]);
});
