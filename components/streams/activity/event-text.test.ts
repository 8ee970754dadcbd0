import { expect, test } from 'vitest';
import { untranslated, englishMessages } from '@/components/testing/messages';
import type { StreamEvent } from '@/lib/contract/webhooks/event-endpoints';
import { createSampleContent } from '@/lib/contract/webhooks/event-samples';
import { streamScopedEventNames } from '@/lib/core/webhooks/events';
import { describeDeliveries, describeEvent } from './event-text';

const t = englishMessages('streams.eventTexts');
const userId = '0b8c8a34-6f0e-4a0f-8b0a-7a2f1d1f9f52';
/** An event with the sample payload of the API reference, as JSON delivers it. */
const createSampleEvent = (event: StreamEvent['event']): Pick<StreamEvent, 'event' | 'payload'> => {
  const { payload } = JSON.parse(JSON.stringify(createSampleContent(event, userId))) as Pick<
    StreamEvent,
    'payload'
  >;
  return { event, ...(payload ? { payload } : {}) };
};

test('every kind of event has its own title', () => {
  const titles = streamScopedEventNames.map(
    (name) => describeEvent(t, createSampleEvent(name), untranslated).title,
  );
  expect(new Set(titles).size).toBe(streamScopedEventNames.length);
});

test('a rejected encoder is shown with the reason and its address', () => {
  expect(describeEvent(t, createSampleEvent('stream.rejected'), untranslated).detail).toBe(
    'video codec is HEVC; H.264 is accepted (from 203.0.113.7)',
  );
});

test('a started recording links to its session or asset', () => {
  expect(describeEvent(t, createSampleEvent('recording.started'), untranslated).href).toMatch(
    /^\/(sessions|assets)\/[\w-]{36}$/,
  );
});

test('an event of a target shows the name of the target, and its error if there is one', () => {
  expect(describeEvent(t, createSampleEvent('multistream.connected'), untranslated).detail).toBeTruthy();
  const target = { id: crypto.randomUUID(), name: 'Club', profile: 'source' };
  const failed = { event: 'multistream.error', payload: { target, error: 'rejected the key' } } as const;
  expect(describeEvent(t, failed, untranslated)).toEqual({
    title: 'Target failed',
    tone: 'warn',
    detail: 'Club: rejected the key',
  });
  expect(describeEvent(t, { ...failed, payload: { target } }, untranslated).detail).toBe('Club');
});

test('a finished recording links to its asset, or to its session while it has none', () => {
  const [id, assetId] = [crypto.randomUUID(), crypto.randomUUID()];
  const event = 'recording.ready';
  expect(describeEvent(t, { event, payload: { session: { id } } }, untranslated).href).toBe(
    `/sessions/${id}`,
  );
  expect(describeEvent(t, { event, payload: { session: { id, assetId } } }, untranslated).href).toBe(
    `/assets/${assetId}`,
  );
});

test('an event with an unknown payload has a title, but no detail and no link', () => {
  expect(describeEvent(t, { event: 'recording.ready', payload: { session: 'x' } }, untranslated)).toEqual({
    title: 'Recording is ready',
    tone: 'accent',
  });
  expect(describeEvent(t, { event: 'multistream.error' }, untranslated)).toEqual({
    title: 'Target failed',
    tone: 'warn',
  });
});

test('the deliveries of an event are summarized by the worst of them', () => {
  const delivery = (state: StreamEvent['deliveries'][number]['state'], webhookName = 'Bot') => ({
    id: crypto.randomUUID(),
    webhookId: crypto.randomUUID(),
    webhookName,
    state,
  });
  const label = (...deliveries: StreamEvent['deliveries']) => describeDeliveries(t, deliveries)?.label;
  expect(describeDeliveries(t, [])).toBeNull();
  expect(label(delivery('ok'))).toBe('Bot: delivered');
  expect(label(delivery('ok'), delivery('ok'))).toBe('2 webhooks: delivered');
  expect(label(delivery('ok'), delivery('pending'), delivery('failed'))).toBe('1 of 3 webhooks: failed');
  const failed = delivery('failed');
  expect(describeDeliveries(t, [delivery('ok'), failed])?.worst).toBe(failed);
  expect(label(delivery('skipped'))).toBe('Bot: skipped');
});
