import type { ReactNode } from 'react';
import { CopyButton } from '@/components/ui/copy-button';
import { Panel } from '@/components/ui/panel';
import { RelativeTime } from '@/components/ui/relative-time';
import type { Stream } from '@/lib/contract/stream';
import { durationInWords, sizeInWords } from './quantities';

/** What is known about a stream, at a glance. */
export function StreamFacts({ stream }: { stream: Stream }) {
  return (
    <Panel title="Details">
      <dl className="-my-2 divide-y">
        <Fact name="Stream ID">
          <Id value={stream.id} label="stream ID" />
        </Fact>
        <Fact name="Playback ID">
          <Id value={stream.playbackId} label="playback ID" />
        </Fact>
        <Fact name="Last video">{stream.isActive ? 'Now' : <RelativeTime at={stream.lastSeen} />}</Fact>
        <Fact name="Received">
          {durationInWords(stream.sourceSegmentsDuration)}
          <span className="text-ink-3"> · {sizeInWords(stream.sourceBytes)}</span>
        </Fact>
        <Fact name="Renditions">
          {stream.profiles.length === 0
            ? 'Source only'
            : stream.profiles.map((profile) => profile.name).join(', ')}
        </Fact>
        <Fact name="Created">
          <RelativeTime at={stream.createdAt} />
        </Fact>
      </dl>
    </Panel>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-4 py-1">
      <dt className="text-ink-2 shrink-0">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  );
}

function Id({ value, label }: { value: string; label: string }) {
  return (
    <span className="flex min-w-0 items-center justify-end gap-1">
      <span className="truncate font-mono text-sm" title={value}>
        {value.length > 20 ? `${value.slice(0, 8)}…${value.slice(-6)}` : value}
      </span>
      <CopyButton value={value} label={`Copy ${label}`} className="-mr-2" />
    </span>
  );
}
