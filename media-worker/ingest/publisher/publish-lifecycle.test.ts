import { beforeEach, describe, expect, it } from 'vitest';
import { ProtocolViolation } from './publisher-limits';
import type { PublishEnd, PublishSink } from '@/media-worker/media/packets/publish';
import { PublishLifecycle } from './publish-lifecycle';
import { label, video } from '@/media-worker/media/packets/testing/packets';

describe('PublishLifecycle', () => {
  let now = 0;
  let events: string[] = [];
  let publish: PublishLifecycle;
  const sink: PublishSink = {
    push: (packet) => events.push(label(packet)),
    end: (reason) => events.push(`end ${reason}`),
  };

  beforeEach(() => {
    now = 100;
    events = [];
    publish = new PublishLifecycle({
      id: 'id',
      ip: '192.0.2.1',
      source: 'encoder',
      limits: { queuedPackets: 3, queuedBytes: 1000 },
      now: () => now,
      close: (rejection) => events.push(rejection ?? 'close'),
      onEnd: (reason, admitted) => events.push(`over ${reason} ${admitted}`),
    });
  });

  it('holds packets until the admission, then passes them on', () => {
    publish.media(video(0, true));
    expect(events).toEqual([]);
    publish.attachSink(sink);
    publish.media(video(40));
    expect(events).toEqual(['K0', 'V40']);
  });

  it('rejects more packets before the admission than its queue may hold', () => {
    for (const dts of [0, 40, 80]) publish.media(video(dts));
    expect(() => publish.media(video(120))).toThrow(ProtocolViolation);
  });

  it('rejects more bytes before the admission than its queue may hold', () => {
    publish.media(video(0, true, 900));
    expect(() => publish.media(video(40, false, 101))).toThrow(ProtocolViolation);
  });

  it('ends once, and ignores later packets', () => {
    publish.attachSink(sink);
    publish.end('finished');
    publish.end('lost');
    publish.media(video(0, true));
    publish.disconnect('cut');
    expect(events).toEqual(['end finished', 'over finished true', 'close']);
  });

  it.each<[PublishEnd, string[]]>([
    ['finished', ['over finished false', 'K0', 'end finished']],
    ['lost', ['over lost false', 'end lost']],
    ['replaced', ['over replaced false', 'end replaced']],
  ])('an end before the admission (%s) ends a late sink', (reason, expectedEvents) => {
    publish.media(video(0, true));
    publish.end(reason);
    publish.attachSink(sink);
    expect(events).toEqual(expectedEvents);
  });

  it('passes no further packets when the sink disconnects its own publisher', () => {
    for (const dts of [0, 40]) publish.media(video(dts, true));
    publish.attachSink({
      push: (packet) => {
        events.push(label(packet));
        publish.disconnect('cut');
      },
      end: (reason) => sink.end(reason),
    });
    expect(events).toEqual(['K0', 'end cut', 'over cut true', 'close']);
  });

  it('passes the message for the encoder to the connection', () => {
    publish.attachSink(sink);
    publish.disconnect('cut', 'video codec is HEVC');
    expect(events).toEqual(['end cut', 'over cut true', 'video codec is HEVC']);
  });

  it('counts silence from the last packet, or from the admission', () => {
    now = 150;
    expect(publish.silentMs()).toBe(50);
    publish.attachSink(sink);
    now = 200;
    expect(publish.silentMs()).toBe(50);
    publish.media(video(0, true));
    expect(publish.silentMs()).toBe(0);
  });
});
