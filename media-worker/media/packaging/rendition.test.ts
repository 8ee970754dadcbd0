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

describe('a rendition', () => {
  test('tells of the running bus at once and of every later one, until told to stop', () => {
    const rendition = new Rendition('480p', window());
    const [first, second, third] = [bus(), bus(), bus()];
    rendition.begin(first);
    const buses: PacketBus[] = [];
    const stop = rendition.onBus((next) => buses.push(next));
    rendition.begin(second);
    stop();
    rendition.begin(third);
    expect(buses).toEqual([first, second]);
  });

  test('says nothing of a bus that has ended', () => {
    const rendition = new Rendition('480p', window());
    const over = bus();
    rendition.begin(over);
    over.end('finished');
    rendition.onBus(() => expect.unreachable());
  });
});

describe('the renditions of a session', () => {
  test('are the source first, then the others as they came', () => {
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

  test('are told of once, with those that were there before', () => {
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

test('is idle at once, or with the end of the run that is going on', async () => {
  const rendition = new Rendition('480p', window());
  await rendition.idle();
  const running = bus();
  rendition.begin(running);
  let idle = false;
  const waiting = rendition.idle().then(() => (idle = true));
  await Promise.resolve();
  expect(idle).toBe(false);
  running.end('cut');
  await waiting;
  await rendition.idle();
});
