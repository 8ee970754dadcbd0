import { Fact, FactId, Facts, Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Stream } from '@/lib/contract/streams/stream';
import { durationInWords, sizeInWords } from '@/components/ui/time-words';

/** Identifiers and totals of a stream. */
export function StreamFacts({ stream, className }: { stream: Stream; className: string }) {
  return (
    <Panel title="Details" className={className}>
      <Facts>
        <Fact name="Stream ID">
          <FactId value={stream.id} label="stream ID" />
        </Fact>
        <Fact name="Playback ID">
          <FactId value={stream.playbackId} label="playback ID" />
        </Fact>
        <Fact name="Last video">{stream.isActive ? 'Now' : <RelativeTime at={stream.lastSeen} />}</Fact>
        <Fact name="Received">
          {durationInWords(stream.sourceSegmentsDuration)}
          <span className="text-ink-3"> · {sizeInWords(stream.sourceBytes)}</span>
        </Fact>
        <Fact name="Created">
          <RelativeTime at={stream.createdAt} />
        </Fact>
      </Facts>
    </Panel>
  );
}
