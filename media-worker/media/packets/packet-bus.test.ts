import { describe, expect, it } from 'vitest';
import type { MediaPacket } from './media-packet';
import { type BusSubscriber, PacketBus } from './packet-bus';
import type { PublishEnd } from './publish';
import { audio, audioConfig, label, video, videoConfig } from './testing/packets';

const createBus = (): { bus: PacketBus; errors: unknown[] } => {
  const errors: unknown[] = [];
  return { bus: new PacketBus({ onSubscriberError: (error) => errors.push(error) }), errors };
};

class Listener implements BusSubscriber {
  readonly events: string[] = [];
  packet(packet: MediaPacket): void {
    this.events.push(label(packet));
  }
  end(reason: PublishEnd): void {
    this.events.push(reason);
  }
}

const firstGop = [videoConfig(), audioConfig(), video(0, true), audio(10), video(40)];

describe('a BusReader', () => {
  it('reads every packet and stops at the end', async () => {
    const { bus } = createBus();
    const reader = bus.openReader();
    for (const packet of firstGop) bus.push(packet);
    bus.end('finished');
    const labels: string[] = [];
    for await (const packet of reader) labels.push(label(packet));
    expect(labels.join(' ')).toBe('VC AC K0 A10 V40');
  });

  it('waits for the next packet, or for the end', async () => {
    const { bus } = createBus();
    const reader = bus.openReader();
    const next = reader.next();
    bus.push(video(0, true));
    expect((await next)?.dts).toBe(0);
    const last = reader.next();
    bus.end('lost');
    expect(await last).toBeUndefined();
  });

  it('that starts late gets the configurations and the current GOP first', async () => {
    const { bus } = createBus();
    for (const packet of [...firstGop, video(80, true), audio(90)]) bus.push(packet);
    const reader = bus.openReader();
    bus.push(video(120));
    bus.end('finished');
    const labels: string[] = [];
    for await (const packet of reader) labels.push(label(packet));
    expect(labels.join(' ')).toBe('VC AC K80 A90 V120');
  });

  it('that is slow loses frames without affecting others, and reports how many', async () => {
    const { bus } = createBus();
    const [slow, fast] = [bus.openReader({ packets: 4 }), bus.openReader()];
    for (const packet of [...firstGop, video(80), video(120, true)]) bus.push(packet);
    bus.end('finished');
    expect([slow.droppedCount, fast.droppedCount]).toEqual([4, 0]);
    expect((await slow.next())?.role).toBe('config');
  });

  it('is closed when the caller breaks out of its loop', async () => {
    const { bus } = createBus();
    const reader = bus.openReader();
    for (const packet of firstGop) bus.push(packet);
    for await (const packet of reader) if (packet.kind === 'audio') break;
    bus.push(video(80, true));
    expect(await reader.next()).toBeUndefined();
  });

  it('returns from its wait when it is closed', async () => {
    const { bus } = createBus();
    const reader = bus.openReader();
    const next = reader.next();
    reader.close();
    reader.close();
    expect(await next).toBeUndefined();
  });

  it('of an ended bus reads nothing', async () => {
    const { bus } = createBus();
    for (const packet of firstGop) bus.push(packet);
    bus.end('finished');
    expect(await bus.openReader().next()).toBeUndefined();
  });

  it('of a stream without video starts with the first frame after it was opened', async () => {
    const { bus } = createBus();
    bus.push(audioConfig());
    bus.push(audio(0));
    const reader = bus.openReader();
    bus.push(audio(23));
    bus.end('finished');
    const labels: string[] = [];
    for await (const packet of reader) labels.push(label(packet));
    expect(labels.join(' ')).toBe('AC A23');
  });
});

describe('a subscriber', () => {
  it('is called with every packet synchronously, and with the end once', () => {
    const { bus } = createBus();
    const listener = new Listener();
    bus.subscribe(listener);
    for (const packet of firstGop) bus.push(packet);
    expect(listener.events.join(' ')).toBe('VC AC K0 A10 V40');
    bus.end('replaced');
    bus.end('lost');
    bus.push(video(80));
    expect(listener.events.at(-1)).toBe('replaced');
    expect(listener.events).toHaveLength(6);
  });

  it('that subscribes late gets the configurations and the current GOP at once, and nothing after it unsubscribes', () => {
    const { bus } = createBus();
    for (const packet of firstGop) bus.push(packet);
    const listener = new Listener();
    const unsubscribe = bus.subscribe(listener);
    expect(listener.events.join(' ')).toBe('VC AC K0 A10 V40');
    unsubscribe();
    bus.push(video(80));
    expect(listener.events).toHaveLength(5);
  });

  it('that throws is removed; the others continue', () => {
    const { bus, errors } = createBus();
    const listener = new Listener();
    bus.subscribe({
      packet: () => {
        throw new Error('broken');
      },
      end: () => undefined,
    });
    bus.subscribe(listener);
    for (const packet of firstGop) bus.push(packet);
    expect(listener.events).toHaveLength(5);
    expect(errors).toHaveLength(1);
  });

  it('of an ended bus is called only with the end', () => {
    const { bus } = createBus();
    bus.push(video(0, true));
    bus.end('cut');
    const listener = new Listener();
    bus.subscribe(listener);
    expect(listener.events).toEqual(['cut']);
  });
});
