import { beforeEach, describe, expect, it } from 'vitest';
import { ProtocolViolation } from './publisher-limits';
import type { PublishEnd, PublishSink } from '@/media-worker/media/packets/publish';
import { PublishLifecycle } from './publish-lifecycle';
import { label, video } from '@/media-worker/media/packets/testing/packets';

describe('PublishLifecycle', () => {
  let monotonicMs = 0;
  let events: string[] = [];
  let publish: PublishLifecycle;
  const sink: PublishSink = {
    push: (packet) => events.push(label(packet)),
    end: (reason) => events.push(`end ${reason}`),
  };

  beforeEach(() => {
    monotonicMs = 100;
    events = [];
    publish = new PublishLifecycle({
      id: 'id',
      ip: '192.0.2.1',
      source: 'encoder',
      limits: { queuedPackets: 3, queuedBytes: 1000 },
      now: () => monotonicMs,
      close: (rejection) => events.push(rejection ?? 'close'),
      onEnd: (reason, admitted) => events.push(`over ${reason} ${admitted}`),
    });
  });

  it('holds packets until the admission, then passes them on', () => {
    publish.pushMedia(video(0, true));
    expect(events).toEqual([]);
    publish.attachSink(sink);
    publish.pushMedia(video(40));
    expect(events).toEqual(['K0', 'V40']);
  });

  it('rejects more packets before the admission than its queue may hold', () => {
    for (const dts of [0, 40, 80]) publish.pushMedia(video(dts));
    expect(() => publish.pushMedia(video(120))).toThrow(ProtocolViolation);
  });

  it('rejects more bytes before the admission than its queue may hold', () => {
    publish.pushMedia(video(0, true, 900));
    expect(() => publish.pushMedia(video(40, false, 101))).toThrow(ProtocolViolation);
  });

  it('ends once, and ignores later packets', () => {
    publish.attachSink(sink);
    publish.end('finished');
    publish.end('lost');
    publish.pushMedia(video(0, true));
    publish.disconnect('cut');
    expect(events).toEqual(['end finished', 'over finished true', 'close']);
  });

  it.each<[PublishEnd, string[]]>([
    ['finished', ['over finished false', 'K0', 'end finished']],
    ['lost', ['over lost false', 'end lost']],
    ['replaced', ['over replaced false', 'end replaced']],
  ])(
    'after an end before the admission with reason %s, a late sink ends with this reason',
    (reason, expectedEvents) => {
      publish.pushMedia(video(0, true));
      publish.end(reason);
      publish.attachSink(sink);
      expect(events).toEqual(expectedEvents);
    },
  );

  it('passes no further packets when the sink disconnects its own publisher', () => {
    for (const dts of [0, 40]) publish.pushMedia(video(dts, true));
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

  it('measures silence from the last packet, or from the admission if none arrived after it', () => {
    monotonicMs = 150;
    expect(publish.silentMs()).toBe(50);
    publish.attachSink(sink);
    monotonicMs = 200;
    expect(publish.silentMs()).toBe(50);
    publish.pushMedia(video(0, true));
    expect(publish.silentMs()).toBe(0);
  });
});
