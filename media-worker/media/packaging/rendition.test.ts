import { describe, expect, test } from 'vitest';
import { PacketBus } from '@/media-worker/media/packets/packet-bus';
import { Rendition, Renditions } from './rendition';
import { Packaging } from './testing/packaging';

const createWindow = () => new Packaging().window;
const createBus = () =>
  new PacketBus({
    onSubscriberError: (error) => {
      throw error;
    },
  });

describe('Rendition', () => {
  test('calls a listener with the current bus and every later one, until it unsubscribes', () => {
    const rendition = new Rendition('480p', createWindow());
    const [first, second, third] = [createBus(), createBus(), createBus()];
    rendition.startPublish(first);
    const buses: PacketBus[] = [];
    const stop = rendition.onBus((next) => buses.push(next));
    rendition.startPublish(second);
    stop();
    rendition.startPublish(third);
    expect(buses).toEqual([first, second]);
  });

  test('does not call a listener with an ended bus', () => {
    const rendition = new Rendition('480p', createWindow());
    const endedBus = createBus();
    rendition.startPublish(endedBus);
    endedBus.end('finished');
    rendition.onBus(() => expect.unreachable());
  });
});

describe('Renditions', () => {
  test('lists the source first, then the others in the order they were added', () => {
    const renditions = new Renditions(createWindow());
    const [high, low] = [new Rendition('high', createWindow()), new Rendition('low', createWindow())];
    renditions.add(high);
    renditions.add(low);
    expect(renditions.all.map(({ name }) => name)).toEqual(['source', 'high', 'low']);
    expect(renditions.get('low')).toBe(low);
    expect(() => renditions.add(new Rendition('low', createWindow()))).toThrow('low');
    renditions.remove(high);
    expect(renditions.get('high')).toBeUndefined();
  });

  test('calls an observer with the current renditions, then once per change', () => {
    const renditions = new Renditions(createWindow());
    const calls: string[] = [];
    const stop = renditions.observe({
      onAdd: ({ name }) => calls.push(`+${name}`),
      onRemove: ({ name }) => calls.push(`-${name}`),
    });
    const low = new Rendition('low', createWindow());
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
  const rendition = new Rendition('480p', createWindow());
  await rendition.waitUntilIdle();
  const runningBus = createBus();
  rendition.startPublish(runningBus);
  let isIdle = false;
  const waiting = rendition.waitUntilIdle().then(() => (isIdle = true));
  await Promise.resolve();
  expect(isIdle).toBe(false);
  runningBus.end('cut');
  await waiting;
  await rendition.waitUntilIdle();
});
