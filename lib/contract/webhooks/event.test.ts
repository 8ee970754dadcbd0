import { describe, expect, expectTypeOf, test } from 'vitest';
import { eventNames } from '@/lib/core/webhooks/events';
import { createSampleEvent } from './event-samples';
import { eventSchemas, type EventOf, type WebhookEvent } from './event';
import { createOpenApi } from '@/lib/contract/openapi';
import { registry } from '@/lib/contract/registry';

describe.each(eventNames)('%s', (name) => {
  test('its schema accepts the sample and removes nothing', () => {
    const sample = createSampleEvent(name);
    expect(eventSchemas[name].parse(sample)).toEqual(sample);
    expect(JSON.stringify(sample)).not.toContain('streamKey');
  });

  test('its schema rejects an event with a missing part or another name', () => {
    const sample: Record<string, unknown> = createSampleEvent(name);
    for (const part of Object.keys(sample).filter((key) => key !== 'sequence')) {
      expect(eventSchemas[name].safeParse({ ...sample, [part]: undefined }).success).toBe(false);
    }
    expect(eventSchemas[name].safeParse({ ...sample, event: 'other' }).success).toBe(false);
  });
});

test('the OpenAPI document has one entry and one schema for each event', () => {
  const document = createOpenApi(registry, 'http://localhost:3000');
  expect(Object.keys(document.webhooks ?? {})).toEqual([...eventNames]);
  const schemas = Object.keys(document.components?.schemas ?? {}).filter((id) => id.endsWith('Event'));
  expect(schemas).toHaveLength(eventNames.length + 1);
  expect(schemas).toEqual(
    expect.arrayContaining(['StreamStartedEvent', 'TaskCompletedEvent', 'HappenedEvent']),
  );
});

test('the name of an event determines its type', () => {
  expectTypeOf<EventOf<'stream.started'>>().not.toHaveProperty('payload');
  expectTypeOf<EventOf<'recording.ready'>['payload']['mp4Url']>().toEqualTypeOf<string>();
  expectTypeOf<EventOf<'asset.ready'>>().not.toHaveProperty('stream');
  expectTypeOf<
    Extract<WebhookEvent, { event: 'task.failed' }>['payload']['success']
  >().toEqualTypeOf<boolean>();
});
