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
  });

  test('its sample has no stream key', () => {
    expect(JSON.stringify(createSampleEvent(name))).not.toContain('streamKey');
  });

  test('its schema rejects an event without one of its required fields', () => {
    const sample: Record<string, unknown> = createSampleEvent(name);
    const requiredFields = Object.keys(sample).filter((field) => field !== 'sequence');
    expect(requiredFields).toContain('id');
    for (const field of requiredFields) {
      expect(eventSchemas[name].safeParse({ ...sample, [field]: undefined }).success).toBe(false);
    }
  });

  test('its schema rejects an event with another name', () => {
    const event = { ...createSampleEvent(name), event: 'other' };
    expect(eventSchemas[name].safeParse(event).success).toBe(false);
  });
});

test('the OpenAPI document has one webhook and one schema for each event', () => {
  const document = createOpenApi(registry, 'http://localhost:3000');
  expect(Object.keys(document.webhooks ?? {})).toEqual([...eventNames]);
  const schemas = Object.keys(document.components?.schemas ?? {}).filter((id) => id.endsWith('Event'));
  // One more: HappenedEvent, an event of any name as GET /api/event returns it.
  expect(schemas).toHaveLength(eventNames.length + 1);
  expect(schemas).toEqual(
    expect.arrayContaining(['StreamStartedEvent', 'TaskCompletedEvent', 'HappenedEvent']),
  );
});

test('the type of an event has the fields that events with its name have', () => {
  expectTypeOf<EventOf<'stream.started'>>().not.toHaveProperty('payload');
  expectTypeOf<EventOf<'recording.ready'>['payload']['mp4Url']>().toEqualTypeOf<string>();
  expectTypeOf<EventOf<'asset.ready'>>().not.toHaveProperty('stream');
  expectTypeOf<
    Extract<WebhookEvent, { event: 'task.failed' }>['payload']['success']
  >().toEqualTypeOf<boolean>();
});
