import { describe, expect, test } from 'vitest';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { Rendition, Renditions } from './rendition';
import { Packaging } from './testing/packaging';

const window = () => new Packaging().window;
const bus = () =>
  new PacketBus({
    onSubscriberError: (error) => {
      throw error;
    },
  });

describe('Rendition', () => {
  test('calls a listener with the current bus and every later one, until it unsubscribes', () => {
    const rendition = new Rendition('480p', window());
    const [first, second, third] = [bus(), bus(), bus()];
    rendition.startPublish(first);
    const buses: PacketBus[] = [];
    const stop = rendition.onBus((next) => buses.push(next));
    rendition.startPublish(second);
    stop();
    rendition.startPublish(third);
    expect(buses).toEqual([first, second]);
  });

  test('does not call a listener with an ended bus', () => {
    const rendition = new Rendition('480p', window());
    const over = bus();
    rendition.startPublish(over);
    over.end('finished');
    rendition.onBus(() => expect.unreachable());
  });
});

describe('Renditions', () => {
  test('lists the source first, then the others in the order they were added', () => {
    const renditions = new Renditions(window());
    const [high, low] = [new Rendition('high', window()), new Rendition('low', window())];
    renditions.add(high);
    renditions.add(low);
    expect(renditions.all.map(({ name }) => name)).toEqual(['source', 'high', 'low']);
    expect(renditions.get('low')).toBe(low);
    expect(() => renditions.add(new Rendition('low', window()))).toThrow('low');
    renditions.remove(high);
    expect(renditions.get('high')).toBeUndefined();
  });

  test('calls an observer with the current renditions, then once per change', () => {
    const renditions = new Renditions(window());
    const calls: string[] = [];
    const stop = renditions.observe({
      onAdd: ({ name }) => calls.push(`+${name}`),
      onRemove: ({ name }) => calls.push(`-${name}`),
    });
    const low = new Rendition('low', window());
    renditions.add(low);
    renditions.remove(low);
    renditions.remove(low);
    renditions.remove(renditions.source);
    stop();
    renditions.add(low);
    expect(calls).toEqual(['+source', '+low', '-low']);
  });
});

test('a rendition is idle immediately, or when the current publish ends', async () => {
  const rendition = new Rendition('480p', window());
  await rendition.waitUntilIdle();
  const running = bus();
  rendition.startPublish(running);
  let idle = false;
  const waiting = rendition.waitUntilIdle().then(() => (idle = true));
  await Promise.resolve();
  expect(idle).toBe(false);
  running.end('cut');
  await waiting;
  await rendition.waitUntilIdle();
});
